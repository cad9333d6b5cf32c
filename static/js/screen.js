// The hall's screen: asks once a second whether something has changed, and counts the time by the server's clock.
(() => {
  "use strict";
  const ENDING = 10_000; // ms
  const screen = document.getElementById("screen");

  const words = (ms) => {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  const tick = () => {
    const timer = screen.querySelector("[data-screen-timer]");
    if (!timer) return;
    const stands = timer.dataset.left !== undefined;
    const ms = stands ? Number(timer.dataset.left) : Number(timer.dataset.deadline) - clock.now();
    const face = timer.querySelector("[data-screen-left]");
    const word = timer.querySelector("[data-screen-word]");
    const said = ms <= 0 ? word.dataset.over : stands ? word.dataset.paused : "";
    if (face.textContent !== words(ms)) face.textContent = words(ms);
    if (word.textContent !== said) word.textContent = said;
    timer.classList.toggle("screen__time--ending", ms <= ENDING && ms > 0);
    timer.classList.toggle("screen__time--over", ms <= 0);
  };

  const clock = follow({
    page: screen,
    lost: document.getElementById("lost"),
    address: screen.dataset.screen,
    every: 1000, // ms between an answer and the next question
    patience: 8000, // ms without an answer before the screen says so
    request: { credentials: "omit" },
    take: (html) => {
      screen.innerHTML = html;
    },
    tick,
  });
  tick();
  setInterval(tick, 100);
})();
