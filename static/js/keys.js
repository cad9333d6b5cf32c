// The whole game from the keyboard. Keys are told apart by where they are, so that they work in any layout.
(() => {
  "use strict";
  const find = (what) => document.querySelector(what);
  const said = (event, ...codes) => codes.includes(event.code);
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

  const digitOf = (event) => event.code.match(/^(?:Digit|Numpad)(\d)$/)?.[1] ?? null;
  const isTyping = (target) => !!target.closest?.(
    "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable=true]");
  // A control reached with Tab does what it always does when Space or Enter is pressed.
  const isOnControl = (target) => !!target.closest?.("a, button, summary, input, label") && target.matches(":focus-visible");

  const press = (button) => {
    if (!button) return false;
    button.click();
    return true;
  };

  // ---------------------------------------------------------------- what a digit means now

  const padKey = (value) => find(`#pad :is(button, .key__tick)[value="${value}"]`);

  const digit = (figure) => {
    const pad = find("#pad");
    const seat = figure === "0" ? "10" : figure;
    if (pad) return press(padKey(pad.classList.contains("pad--tally") ? figure : seat));
    return press(find(`a[data-seat="${seat}"]`));
  };

  // The dash of the form: a miss; and the tenth hand, for which there is no digit.
  const dash = () => press(padKey("miss") ?? (find(".pad--tally") && padKey("10")));

  const others = () => {
    const list = find("details.others");
    if (!list) return false;
    list.open = true;
    list.querySelector(".others__item")?.focus();
    return true;
  };

  // ---------------------------------------------------------------- the roles, letter by letter

  const LETTERS = { KeyR: "К", KeyX: "Ч", KeyI: "Ш", KeyL: "Д" }; // where these letters are on a Russian keyboard

  const letter = (event) => {
    const rows = [...document.querySelectorAll("dialog[open] fieldset.letters")];
    if (!rows.length) return false;
    const wanted = /^[КЧШД]$/i.test(event.key) ? event.key.toUpperCase() : LETTERS[event.code];
    if (!wanted) return false;
    const at = rows.indexOf(event.target.closest?.("fieldset.letters"));
    const row = rows[Math.max(at, 0)];
    const choice = [...row.querySelectorAll("input")].find((input) => input.value === wanted);
    if (!choice) return false;
    choice.click();
    const next = rows[Math.max(at, 0) + 1];
    const target = next ? next.querySelector("input:checked") ?? next.querySelector("input")
      : row.closest("form").querySelector("button:not([type=button])");
    target.focus();
    return true;
  };

  // ---------------------------------------------------------------- every key

  const keyed = (event) => {
    const figure = digitOf(event);
    if (figure !== null && event.shiftKey && event.code.startsWith("Digit")) {
      tell("foul:press", Number(figure) || 10);
      return true;
    }
    if (figure !== null && !event.shiftKey) return digit(figure);
    if (said(event, "Minus", "NumpadSubtract")) return dash();
    if (said(event, "Space")) {
      tell("clock:pause");
      return true;
    }
    if (said(event, "ArrowLeft", "ArrowRight")) {
      tell("clock:add", event.code === "ArrowLeft" ? -5000 : 5000);
      return true;
    }
    if (said(event, "Enter", "NumpadEnter")) return press(find("#next"));
    if (said(event, "Backspace")) return press(find(event.shiftKey ? ".panel__redo button" : ".panel__undo button"));
    if (event.key === "." || said(event, "Period")) return others();
    if (said(event, "KeyM")) {
      tell("clock:mute");
      return true;
    }
    if (said(event, "KeyJ")) return press(find("[data-log]"));
    if (said(event, "KeyN")) return press(find("[data-opens=menu]"));
    return false;
  };

  const card = (event) => (event.key === "?" && !event.code.startsWith("Digit")) || (said(event, "Slash") && event.shiftKey) || said(event, "F1");

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) return;
    if (document.querySelector("dialog[open]")) {
      if (letter(event)) event.preventDefault();
      return;
    }
    if (card(event)) {
      event.preventDefault();
      document.getElementById("keys")?.showModal();
      return;
    }
    if (event.code === "Escape") {
      const open = find("details.others[open]");
      if (open) {
        open.open = false;
        open.querySelector("summary").focus();
      }
      press(find(".log-open [data-log-close]"));
      return;
    }
    if (isOnControl(event.target) && said(event, "Space", "Enter", "NumpadEnter")) return;
    if (event.repeat) {
      if (digitOf(event) !== null || said(event, "Space", "Backspace", "ArrowLeft", "ArrowRight")) event.preventDefault();
      return;
    }
    if (keyed(event)) event.preventDefault();
  });
  document.addEventListener("keyup", (event) => {
    if (digitOf(event) !== null || event.key === "Shift") tell("foul:release");
  });

  // ---------------------------------------------------------------- the focus stays where it was

  // A fresh board takes the place of the old one; whoever goes from control to control goes on from the same one.
  let focused = null;

  const pathOf = (element) => {
    if (!element?.closest?.("#board") || element.closest("dialog")) return null;
    if (element.id) return `#${element.id}`;
    for (const name of ["data-seat", "data-foul", "data-opens", "data-log", "data-peek", "data-timer-add", "data-timer-pause"]) {
      if (element.hasAttribute(name)) return `[${name}="${element.getAttribute(name)}"]`;
    }
    if (element.closest("#pad") && element.value) return `#pad [value="${element.value}"]`;
    return [".undo", ".redo", ".others__open", ".board__back"].find((name) => element.matches(name)) ?? null;
  };

  document.addEventListener("focusin", (event) => {
    focused = pathOf(event.target);
  });
  document.addEventListener("pointerdown", () => {
    focused = null;
  }, true);
  document.addEventListener("htmx:afterSettle", () => {
    if (document.activeElement !== document.body || !focused || document.querySelector("dialog[open]")) return;
    find(`#board ${focused}`)?.focus({ preventScroll: true });
  });
})();
