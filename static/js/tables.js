// The board of tables: asks every few seconds whether something has changed, and counts how old the last entries are.
(() => {
  "use strict";
  const EVERY = 3000; // ms between an answer and the next question
  const PATIENCE = 7000; // ms without an answer before the board says so
  const board = document.getElementById("tables");
  const lost = document.getElementById("lost");
  let mark = `"${board.dataset.mark}"`;
  let skew = Date.now() - Number(board.dataset.now); // how far this clock is ahead of the server's
  let answered = Date.now();
  let asking = false;

  const age = (ms) => {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 60) return board.dataset.second.replace("{n}", seconds);
    if (seconds < 3600) return board.dataset.minute.replace("{n}", Math.floor(seconds / 60));
    return board.dataset.hour.replace("{n}", Math.floor(seconds / 3600));
  };

  const tick = () => {
    for (const time of board.querySelectorAll("[data-at]")) {
      const words = age(Date.now() - skew - Number(time.dataset.at));
      if (time.textContent !== words) time.textContent = words;
    }
  };

  // What somebody has opened stays open, and the focus stays where it was.
  const take = (html) => {
    const opened = [...board.querySelectorAll("details")].map((each) => each.open);
    const links = [...board.querySelectorAll("a, summary")];
    const focused = links.indexOf(document.activeElement);
    board.innerHTML = html;
    const found = [...board.querySelectorAll("details")];
    if (found.length === opened.length) for (const [index, each] of found.entries()) each.open = opened[index];
    const after = [...board.querySelectorAll("a, summary")];
    if (focused >= 0 && after.length === links.length) after[focused].focus({ preventScroll: true });
  };

  const ask = async () => {
    if (asking || document.hidden) return;
    asking = true;
    try {
      const sent = Date.now();
      const answer = await fetch(board.dataset.tables, {
        cache: "no-store",
        headers: { "If-None-Match": mark },
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (answer.status === 200) {
        take(await answer.text());
        mark = answer.headers.get("ETag");
      }
      if (answer.status === 200 || answer.status === 304) {
        answered = Date.now();
        const now = Number(answer.headers.get("X-Now"));
        if (now && answered - sent < 1000) skew = (sent + answered) / 2 - now;
        lost.textContent = "";
      } else if ([401, 403, 404].includes(answer.status)) {
        lost.textContent = lost.dataset.out;
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
  setInterval(tick, 1000);
  setTimeout(go, EVERY);
})();
