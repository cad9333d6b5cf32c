// A game typed in from paper with digits alone: numbers part by themselves, a box that is full lets go, the cells of the
// form show what was typed, and what the server says of a box stands beside it.
(() => {
  "use strict";
  const form = document.getElementById("paper");
  if (!form) return;
  const LETTERS = { к: "К", ч: "Ч", ш: "Ш", д: "Д", r: "К", x: "Ч", i: "Ш", l: "Д" }; // the same keys without a layout
  const CELLS = 11;
  const WIDE = "input.numbers";
  const NARROW = "input[name^=shot_], input[name^=don_], input[name^=sheriff_], input[name=defeat_seat]";

  // --- from box to box, in the order of the form

  const isOpen = (each) => each.checkVisibility() && !each.disabled && each.tabIndex >= 0;
  const stops = () =>
    [...form.querySelectorAll("input:not([type=hidden]), select, .paper__write")].filter(
      (each) => isOpen(each) && (each.type !== "radio" || each.checked),
    );
  const next = (from) => {
    const all = stops();
    const here = from.type === "radio" ? form.querySelector(`[name="${from.name}"]:checked`) : from;
    const found = all[all.indexOf(here) + 1];
    found?.focus();
    if (found?.select) found.select();
    return found;
  };
  const told = (each) => each.dispatchEvent(new Event("input", { bubbles: true }));

  // --- digits

  // «5912» is 5 9 1 2: 10 is the only number of two digits, so a 1 waits for what comes.
  const parted = (text) => text.replace(/[^\d]+/g, " ").trim().split(" ").flatMap((run) => run.match(/10|\d/g) ?? []);

  const part = (input) => {
    const isAtEnd = input.selectionStart === input.value.length;
    const last = /[^\d]$/.test(input.value) ? " " : "";
    const text = parted(input.value).join(" ");
    if (isAtEnd && input.value !== text + last) input.value = text + (text && last);
  };

  const letGo = (input) => {
    const numbers = parted(input.value);
    if (numbers.length > 1) {
      input.value = numbers[0];
      const after = next(input);
      if (after?.matches(NARROW)) {
        after.value = numbers[1];
        told(after);
      }
    } else if (/^([02-9]|10|[-–—])$/.test(input.value)) {
      next(input);
    }
  };

  const press = (box, key) => {
    if (box.matches("select[data-digits]")) {
      const letter = box.dataset.digits[Number(key) - 1] ?? LETTERS[key.toLowerCase()];
      if (!letter) return false;
      box.value = letter;
      told(box);
      next(box);
      return true;
    }
    const group = box.type === "radio" && box.closest("[data-digits]");
    if (!group) return false;
    const values = group.dataset.digits ? ["", ...group.dataset.digits.split(" ")] : ["0", "1", "2", "3", "4"];
    const more = box.closest("[data-row]").querySelector("details");
    if (key === "!" && more) {
      more.open = true;
      more.querySelector("select").focus();
      return true;
    }
    const chosen = /^\d$/.test(key) && group.querySelector(`[value="${values[Number(key)]}"]`);
    if (!chosen) return false;
    chosen.checked = true;
    chosen.focus();
    told(chosen);
    if (more && key === "4") {
      more.open = true; // a fourth foul removes: the form has no place for when, the page has
      more.querySelector("[name^=out_day]").focus();
    } else {
      next(chosen);
    }
    return true;
  };

  form.addEventListener("keydown", (event) => {
    const box = event.target;
    if (event.isComposing || event.altKey || !box.matches("input, select")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) form.requestSubmit(form.querySelector(".paper__write"));
      else next(box);
    } else if (!event.ctrlKey && !event.metaKey && press(box, event.key)) {
      event.preventDefault();
    }
  });

  form.addEventListener("input", (event) => {
    const box = event.target;
    if (!event.inputType?.startsWith("insert")) return;
    if (box.matches(WIDE)) part(box);
    else if (box.matches(NARROW)) letGo(box);
  });

  // --- the cells of the form: shown as long as nobody types in the row

  const lay = (input) => {
    const row = input.closest(".cells");
    if (!row) return;
    let drawn = row.querySelector(".cells__drawn");
    if (!drawn) {
      drawn = document.createElement("span");
      drawn.className = "cells__drawn";
      drawn.setAttribute("aria-hidden", "true");
      row.append(drawn);
      row.classList.add("cells--drawn");
    }
    const numbers = parted(input.value);
    const count = Math.max(row.classList.contains("cells--three") ? 3 : CELLS, numbers.length);
    drawn.replaceChildren(
      ...Array.from({ length: count }, (_, n) => {
        const cell = document.createElement("i");
        cell.textContent = numbers[n] ?? "";
        return cell;
      }),
    );
  };
  const layAll = () => {
    form.querySelectorAll(WIDE).forEach(lay);
    // What the form has no place for is opened by a key or a finger, and lies in nobody's way.
    form.querySelectorAll(".player__summary, .day__more summary, .end__more > summary").forEach((each) => {
      each.tabIndex = -1;
    });
  };
  form.addEventListener("focusout", (event) => {
    if (event.target.matches(WIDE)) lay(event.target);
  });
  form.addEventListener("change", (event) => {
    const more = event.target.closest(".day")?.querySelector("details");
    if (more && /^tallies_\d+_2$/.test(event.target.name) && event.target.value) more.open = true;
  });

  // --- what the server says of a box

  const clear = () => {
    form.querySelectorAll("[data-row] .invalid-feedback").forEach((each) => each.remove());
    form.querySelectorAll("[aria-invalid]").forEach((each) => {
      each.removeAttribute("aria-invalid");
      each.removeAttribute("aria-describedby");
    });
    form.querySelectorAll(".player--wrong, .row--wrong").forEach((each) => {
      each.classList.remove("player--wrong", "row--wrong");
    });
  };
  // An empty box behind the one that is typed in: nobody has come to it yet.
  const isToCome = (box) =>
    !box.value &&
    form.contains(document.activeElement) &&
    document.activeElement.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING;
  const mark = (said) => {
    const found = form.elements.namedItem(said.dataset.wrong);
    const boxes = found instanceof RadioNodeList ? [...found] : found ? [found] : [];
    const row = boxes[0]?.closest("[data-row]");
    if (!row || boxes.includes(document.activeElement) || isToCome(boxes[0])) return;
    row.classList.add(row.matches(".player") ? "player--wrong" : "row--wrong");
    const why = document.createElement("p");
    why.className = "invalid-feedback";
    why.id = `why-${said.dataset.wrong}`;
    why.textContent = said.dataset.why;
    row.append(why);
    boxes.forEach((box) => {
      box.setAttribute("aria-invalid", "true");
      box.setAttribute("aria-describedby", why.id);
    });
    const more = boxes[0].closest("details");
    if (more) more.open = true;
  };
  const fill = (given) => {
    const input = form.elements.namedItem(given.dataset.filled);
    const counts = given.dataset.counts.split(" ");
    if (!input || input === document.activeElement) return;
    if (parted(input.value).join(" ") !== counts.slice(0, -1).join(" ")) return;
    input.value = counts.join(" ");
    lay(input);
  };
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "paper-days" || document.getElementById("paper-days") === event.detail?.elt) layAll();
    const check = document.getElementById("paper-check");
    if (!check) return;
    clear();
    check.querySelectorAll("[data-wrong]").forEach(mark);
    check.querySelectorAll("[data-filled]").forEach(fill);
    layAll();
  });
  layAll();
})();
