// The hall's screen: asks once a second whether something has changed, and counts the time by the server's clock.
(() => {
  "use strict";
  const EVERY = 1000; // ms between an answer and the next question
  const PATIENCE = 8000; // ms without an answer before the screen says so
  const ENDING = 10_000; // ms
  const screen = document.getElementById("screen");
  const lost = document.getElementById("lost");
  let mark = `"${screen.dataset.mark}"`;
  let skew = Date.now() - Number(screen.dataset.now); // how far this clock is ahead of the server's
  let answered = Date.now();
  let asking = false;

  const words = (ms) => {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  const tick = () => {
    const timer = screen.querySelector("[data-screen-timer]");
    if (!timer) return;
    const stands = timer.dataset.left !== undefined;
    const ms = stands ? Number(timer.dataset.left) : Number(timer.dataset.deadline) - (Date.now() - skew);
    const face = timer.querySelector("[data-screen-left]");
    const word = timer.querySelector("[data-screen-word]");
    const said = ms <= 0 ? word.dataset.over : stands ? word.dataset.paused : "";
    if (face.textContent !== words(ms)) face.textContent = words(ms);
    if (word.textContent !== said) word.textContent = said;
    timer.classList.toggle("screen__time--ending", ms <= ENDING && ms > 0);
    timer.classList.toggle("screen__time--over", ms <= 0);
  };

  const ask = async () => {
    if (asking || document.hidden) return;
    asking = true;
    const sent = Date.now();
    try {
      const answer = await fetch(screen.dataset.screen, {
        cache: "no-store",
        credentials: "omit",
        headers: { "If-None-Match": mark },
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (answer.status === 200) {
        screen.innerHTML = await answer.text();
        mark = answer.headers.get("ETag");
      }
      if (answer.status === 200 || answer.status === 304) {
        answered = Date.now();
        const now = Number(answer.headers.get("X-Now"));
        // The answer was on its way for half of the time that it took; a slow one says little about the clock.
        if (now && answered - sent < 1000) skew = (sent + answered) / 2 - now;
        lost.textContent = "";
      }
    } catch {
      // The next question may be answered.
    }
    if (Date.now() - answered > PATIENCE && !lost.textContent) {
      lost.textContent = `${lost.dataset.words} ${new Date(answered).toLocaleTimeString("ru-RU")}`;
    }
    asking = false;
    tick();
  };

  const go = async () => {
    await ask();
    setTimeout(go, EVERY);
  };
  document.addEventListener("visibilitychange", ask);
  tick();
  setInterval(tick, 100);
  setTimeout(go, EVERY);
})();
