// Stepping through a game by keys, and copying its account. Links do the stepping where this file does not run.
(() => {
  "use strict";
  const replay = () => document.getElementById("replay");

  // ---------------------------------------------------------------- steps

  // One request at a time: while it is under way, keys and buttons move the step that is asked for after it.
  let wanted = null;
  let asked = false;

  const ask = () => {
    const place = replay();
    asked = true;
    htmx.ajax("GET", `${place.dataset.path}?step=${wanted}`, { source: place, target: "#replay", swap: "outerHTML" });
  };

  const go = (to) => {
    const place = replay();
    const last = Number(place.dataset.last);
    const at = Number(place.dataset.at);
    wanted = Math.max(0, Math.min(last, to(wanted ?? at, last)));
    if (!asked && wanted !== at) ask();
  };

  const back = (at) => at - 1;
  const on = (at) => at + 1;
  const keys = { ArrowLeft: back, ArrowRight: on, Home: () => 0, End: (_, last) => last };

  document.addEventListener("keydown", (event) => {
    if (!replay() || !(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest?.("input, select, textarea")) return;
    event.preventDefault();
    go(keys[event.key]);
  });

  // A second click comes before the answer to the first: it is a second step.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#step-back[href], #step-on[href]");
    if (!button || event.button || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    go(button.id === "step-on" ? on : back);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    asked = false;
    const place = replay();
    if (!place || !event.detail.successful || wanted === null || wanted === Number(place.dataset.at)) wanted = null;
    else ask();
  });

  // The day at hand stands in the middle of its row, the entry at hand in the middle of its list.
  const show = () => {
    document.querySelectorAll(".parts, .told__list").forEach((place) => {
      const now = place.querySelector("[aria-current]");
      if (!now) return;
      const [outer, inner] = [place.getBoundingClientRect(), now.getBoundingClientRect()];
      place.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
      place.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
    });
  };

  document.addEventListener("htmx:afterSettle", show);
  show();

  // ---------------------------------------------------------------- the account

  const button = document.querySelector("[data-copy]");
  if (!button) return;
  const account = document.querySelector("[data-account]");

  const text = () => [...account.querySelectorAll("[data-line]")]
    .map((line) => `${line.matches("h2") ? "\n" : ""}${line.textContent.trim()}\n`).join("");

  // Without a secure connection there is no clipboard to write to, but a selection can still be copied.
  const copySelected = () => {
    const area = document.createElement("textarea");
    area.value = text();
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  };

  button.hidden = false;
  button.addEventListener("click", async () => {
    let copied = false;
    try {
      await navigator.clipboard.writeText(text());
      copied = true;
    } catch {
      copied = copySelected();
    }
    button.focus();
    if (!copied) return;
    const words = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = words; }, 2000);
  });
})();
