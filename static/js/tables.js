// The board of tables: asks every few seconds whether something has changed, and counts how old the last entries are.
(() => {
  "use strict";
  const board = document.getElementById("tables");

  const age = (ms) => {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 60) return board.dataset.second.replace("{n}", seconds);
    if (seconds < 3600) return board.dataset.minute.replace("{n}", Math.floor(seconds / 60));
    return board.dataset.hour.replace("{n}", Math.floor(seconds / 3600));
  };

  const tick = () => {
    for (const time of board.querySelectorAll("[data-at]")) {
      const words = age(clock.now() - Number(time.dataset.at));
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

  const clock = follow({
    page: board,
    lost: document.getElementById("lost"),
    address: board.dataset.tables,
    every: 3000, // ms between an answer and the next question
    patience: 7000, // ms without an answer before the board says so
    request: { redirect: "error" },
    take,
    tick,
  });
  tick();
  setInterval(tick, 1000);
})();
