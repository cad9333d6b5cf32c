// The running time: counted from the moment the server wrote down, so a reload or a second screen shows the same.
(() => {
  "use strict";
  const ENDING = 10_000; // ms
  let skew = 0; // how far this device's clock is ahead of the server's, ms

  const stored = (key) => {
    try {
      return JSON.parse(sessionStorage.getItem(`timer.${key}`)) || { added: 0, lost: 0, pausedAt: null };
    } catch {
      return { added: 0, lost: 0, pausedAt: null };
    }
  };
  const store = (key, state) => {
    try {
      sessionStorage.setItem(`timer.${key}`, JSON.stringify(state));
    } catch {
      // Without storage the time runs all the same; only pauses are forgotten.
    }
  };
  const now = () => Date.now() - skew;

  const left = (timer) => {
    const state = stored(timer.dataset.key);
    const elapsed = (state.pausedAt ?? now()) - Number(timer.dataset.started) - state.lost;
    return Number(timer.dataset.seconds) * 1000 + state.added - elapsed;
  };

  const words = (ms) => {
    const seconds = Math.abs(Math.ceil(ms / 1000));
    return `${ms <= -1000 ? "+" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  const draw = () => {
    const timer = document.querySelector("[data-timer]");
    if (!timer) return;
    const ms = left(timer);
    const paused = stored(timer.dataset.key).pausedAt !== null;
    const face = timer.querySelector("[data-timer-left]");
    const text = words(ms);
    if (face.textContent !== text) face.textContent = text;
    timer.classList.toggle("timer--paused", paused);
    timer.classList.toggle("timer--ending", ms <= ENDING && ms > 0);
    timer.classList.toggle("timer--over", ms <= 0);
    if (ms <= 0 && timer.dataset.told !== "1" && !paused) {
      timer.dataset.told = "1";
      const said = document.getElementById("said");
      if (said && ms > -2000) {
        said.textContent = timer.dataset.over;
        navigator.vibrate?.(200);
      }
    }
  };

  const begin = () => {
    const timer = document.querySelector("[data-timer]");
    if (!timer || timer.dataset.begun) return;
    timer.dataset.begun = "1";
    skew = Date.now() - Number(timer.dataset.now);
    timer.querySelectorAll("[data-timer-add]").forEach((button) => {
      button.hidden = false;
    });
    draw();
  };

  document.addEventListener("click", (event) => {
    const timer = event.target.closest("[data-timer]");
    if (!timer) return;
    const state = stored(timer.dataset.key);
    const add = event.target.closest("[data-timer-add]");
    if (add) {
      state.added += Number(add.dataset.timerAdd) * 1000;
    } else if (event.target.closest("[data-timer-pause]")) {
      if (state.pausedAt === null) {
        state.pausedAt = now();
      } else {
        state.lost += now() - state.pausedAt;
        state.pausedAt = null;
      }
    }
    store(timer.dataset.key, state);
    draw();
  });

  // A judge's screen stays lit while the board is open.
  const stayAwake = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  document.addEventListener("htmx:afterSettle", begin);
  begin();
  setInterval(draw, 250);
})();
