// The time left for a protest, counted down by the server's clock: `data-until` is the moment in ms, `data-now` the
// server's time when the page was drawn. A board has none: there its clock remembers how wrong this device's is.
(() => {
  "use strict";
  const pages = performance.getEntriesByType("navigation")[0];
  const told = Number(document.querySelector("[data-until][data-now]")?.dataset.now ?? 0);
  const base = told ? told - (pages?.responseEnd || performance.now()) : 0;

  const skew = () => {
    try {
      return JSON.parse(localStorage.getItem("clock.skew")) ?? 0;
    } catch {
      return 0;
    }
  };
  const now = () => (base ? base + performance.now() : Date.now() - skew());

  const tell = () => {
    for (const place of document.querySelectorAll("[data-until]")) {
      const seconds = Math.ceil((Number(place.dataset.until) - now()) / 1000);
      const words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      const text = seconds > 0 ? words : place.dataset.up;
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("until--up", seconds <= 0);
    }
  };

  setInterval(tell, 1000);
  document.addEventListener("htmx:afterSettle", tell);
  tell();
})();
