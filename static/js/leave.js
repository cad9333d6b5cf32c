// Whoever logs out is told of entries that are still on this device; they stay, and are sent after the next login.
// What the browser kept of boards, and so of roles, goes; so does the order of shots.
(() => {
  "use strict";
  const NAMES = "boards-";

  const wipe = async () => {
    try {
      Object.keys(localStorage).filter((key) => key.startsWith("plan.")).forEach((key) => localStorage.removeItem(key));
    } catch {
      // Where nothing may be kept there is nothing to wipe.
    }
    await window.store.wipeBoards();
    if (!window.caches) return;
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(NAMES)).map((name) => caches.delete(name)));
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-leave]");
    if (!form || form.dataset.left) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const left = await window.store.ofUser(form.dataset.leave);
    const waiting = left.filter((entry) => entry.status !== "done");
    if (waiting.length && !window.confirm(form.dataset.waiting.replace("{n}", waiting.length))) return;
    await wipe();
    form.dataset.left = "1";
    form.submit();
  }, true);
})();
