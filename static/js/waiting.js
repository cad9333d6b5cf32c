// How many protests and corrections wait for an answer, in the head of the page: asked for apart from the page, and
// not more often than each half minute.
(() => {
  "use strict";
  const place = document.querySelector("[data-waiting-for]");
  if (!place) return;
  const KEY = `waiting.${place.dataset.waitingFor}`;
  const KEPT = 30_000; // ms

  const show = (told) => {
    if (!told?.n) return;
    place.href = told.address;
    place.textContent = told.words;
    place.hidden = false;
  };
  const kept = () => {
    try {
      const found = JSON.parse(sessionStorage.getItem(KEY));
      return found && Date.now() - found.at < KEPT ? found.told : null;
    } catch {
      return null;
    }
  };
  const ask = async () => {
    try {
      const answer = await fetch(place.dataset.ask, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const told = await answer.json();
      sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), told }));
      show(told);
    } catch {
      // Without a network the head stays as it is.
    }
  };

  const found = kept();
  if (found) show(found);
  else ask();
})();
