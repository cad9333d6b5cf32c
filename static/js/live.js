// Two screens of one game: each asks every second whether anything is new, the clock among it, and takes the fresh
// board when it is; never under a finger, never under a dialog, and not while something of its own is on its way.
(() => {
  "use strict";
  const root = document.getElementById("offline");
  if (!root) return;
  const EVERY = 1000; // ms; entries of the other device are seen within two seconds
  const LIMIT = 5000; // ms for an answer
  let asking = false;
  let pressed = false;
  let asked = 0;
  let clock = 0; // when the clock was set that the server told of last

  const busy = () =>
    pressed || window.queue.isBusy() || document.querySelector("dialog[open], details.others[open], #board .held") !== null
    || !!document.querySelector("#board :is(input[type=text], input[type=number], textarea, select):focus")
    || !!document.querySelector("#pad .key__tick:checked");

  const refresh = async () => {
    const response = await window.queue.fetched(location.pathname, { headers: { "HX-Request": "true" } }, LIMIT);
    if (response.status === 401 || response.type === "opaqueredirect") {
      window.queue.trouble("login");
      return;
    }
    if (!response.ok) return;
    const html = await response.text();
    window.queue.trouble("");
    if (busy()) return; // a tap went out meanwhile; its answer is fresh, too
    window.queue.swap(html);
    window.queue.show();
  };

  const look = async () => {
    if (asking || document.hidden || !window.queue.mark() || window.queue.isBusy()) return;
    asking = true;
    asked = performance.now();
    try {
      const mark = window.queue.mark();
      const response = await window.queue.fetched(`${root.dataset.pulse}?at=${mark}&clock=${clock}`, {}, LIMIT);
      const answered = performance.now();
      const told = response.status === 200 ? await response.json() : null;
      if (told) clock = told.clock?.changed ?? 0;
      if (response.headers.has("Now")) {
        window.clock.heard(told?.clock, Number(response.headers.get("Now")), asked, answered);
      }
      if (told && told.mark !== mark) {
        if (!busy()) await refresh();
      } else if (response.status === 403) {
        await refresh();
      }
    } catch {
      // Without a network there is nothing new.
    } finally {
      asking = false;
    }
  };

  document.addEventListener("pointerdown", () => {
    pressed = true;
  }, true);
  ["pointerup", "pointercancel"].forEach((name) => document.addEventListener(name, () => {
    pressed = false;
  }, true));
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", look);
  setInterval(() => performance.now() - asked >= EVERY - 50 && look(), EVERY);

  // ---------------------------------------------------------------- the page without a network

  const install = async () => {
    const before = navigator.serviceWorker.controller;
    await navigator.serviceWorker.register("/sw.js", { scope: "/" });
    const { active } = await navigator.serviceWorker.ready;
    if (!before) active.postMessage({ keep: location.pathname });
  };
  if (navigator.serviceWorker) install().catch(() => {});
})();
