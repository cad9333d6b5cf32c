// A button that is held to see what it covers; the look is all in the style sheet.
(() => {
  "use strict";
  document.addEventListener("contextmenu", (event) => {
    if (event.target.closest("[data-peek]")) event.preventDefault();
  });
  document.addEventListener("touchstart", () => {}, { passive: true }); // wakes :active on iOS
})();
