// What makes the board quick: sheets open at once, a hold replaces a question, the queue (queue.js) sends.
// Everything here also works without this file, by plain forms and links.
(() => {
  "use strict";
  const HOLD = 800; // ms, as long as the bar takes to fill
  const OFFERED = 8000; // ms
  const board = () => document.getElementById("board");

  // ---------------------------------------------------------------- sheets and drawers

  const show = (dialog) => {
    if (dialog.open) dialog.close();
    dialog.showModal();
  };

  const openSeat = (row) => {
    const dialog = document.getElementById("seat-sheet");
    const given = row.dataset;
    const off = given.off.split(" ");
    const hide = (selector, hidden) => dialog.querySelectorAll(selector).forEach((item) => {
      item.hidden = hidden;
    });
    dialog.querySelectorAll("[data-fill]").forEach((item) => {
      item.textContent = given[item.dataset.fill] ?? "";
    });
    dialog.querySelectorAll("input[name=seat]").forEach((input) => {
      input.value = given.seat;
    });
    dialog.querySelectorAll("input[name=of]").forEach((input) => {
      input.value = given.openFoul;
    });
    dialog.querySelectorAll("details").forEach((details) => {
      details.open = false;
    });
    hide("[data-act]", false);
    off.forEach((name) => name && hide(`[data-act="${name}"]`, true));
    hide("[data-ordinary]", off.includes("foul") || "fourth" in given);
    hide("[data-fourth-only]", off.includes("foul") || !("fourth" in given));
    hide("[data-withdraw-only]", !("withdraw" in given));
    hide("[data-reason-only]", given.openFoul === "0");
    dialog.querySelector("[data-fill=openNumber]").textContent = given.openNumber;
    show(dialog);
  };

  document.addEventListener("click", (event) => {
    const target = event.target;
    const row = target.closest("a[data-seat]");
    const opens = target.closest("[data-opens]");
    const dialog = target.closest("dialog");
    if (row) {
      event.preventDefault();
      openSeat(row);
    } else if (opens) {
      event.preventDefault();
      show(document.getElementById(opens.dataset.opens));
    } else if (dialog && (target.closest("[data-close]") || target === dialog)) {
      event.preventDefault();
      dialog.close();
      if (location.search) history.replaceState(null, "", location.pathname);
    } else if (target.closest("[data-log]")) {
      event.preventDefault();
      document.documentElement.classList.add("log-open");
    } else if (target.closest("[data-log-close]")) {
      event.preventDefault();
      document.documentElement.classList.remove("log-open");
      board().classList.remove("board--log");
    } else if (target.closest("[data-dismiss]")) {
      event.preventDefault();
      target.closest("[data-offer]").remove();
    } else if (!target.closest(".others")) {
      document.querySelectorAll(".others[open]").forEach((others) => {
        others.open = false;
      });
    }
  });

  // ---------------------------------------------------------------- the hold

  let held = null;

  const letGo = () => {
    if (!held) return;
    clearTimeout(held.timer);
    held.button.classList.remove("held");
    held = null;
  };

  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("[data-hold]");
    if (!button || (event.button && event.pointerType === "mouse")) return;
    letGo();
    button.classList.add("held");
    held = {
      button,
      timer: setTimeout(() => {
        letGo();
        const form = button.form;
        if (!form.reportValidity()) return;
        const sure = document.createElement("input");
        Object.assign(sure, { type: "hidden", name: "sure", value: "1" });
        form.append(sure);
        form.dataset.held = "1";
        form.requestSubmit(button);
      }, HOLD),
    };
  });
  ["pointerup", "pointercancel", "scroll"].forEach((name) => document.addEventListener(name, letGo, true));
  document.addEventListener("contextmenu", (event) => {
    if (event.target.closest("[data-hold], [data-peek]")) event.preventDefault();
  });
  // The click that ends a hold is no second tap; a short one is a question for the server.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-hold]");
    if (button?.form.dataset.held === "1" && event.isTrusted) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
  document.addEventListener("touchstart", () => {}, { passive: true }); // wakes :active on iOS

  // ---------------------------------------------------------------- pads of several keys, the roles

  document.addEventListener("change", (event) => {
    const pad = event.target.closest("[data-many]");
    if (pad) {
      const ticked = pad.querySelectorAll(":checked");
      if (ticked.length > Number(pad.dataset.many)) event.target.checked = false;
      const place = document.querySelector("[data-ticked]");
      if (place) place.textContent = `: ${[...pad.querySelectorAll(":checked")].map((input) => input.value).join(", ")}`;
    }
    if (event.target.closest(".letters")) countRoles();
  });

  const countRoles = () => {
    document.querySelectorAll("[data-count]").forEach((item) => {
      const letter = item.dataset.count;
      const form = item.closest("form");
      const chosen = form.querySelectorAll(`.letter input[value="${letter}"]:checked`).length;
      const needed = Number(item.parentElement.lastChild.textContent.replace(/\D/g, ""));
      item.textContent = chosen;
      item.parentElement.classList.toggle("count--full", chosen === needed);
      item.parentElement.classList.toggle("count--over", chosen > needed);
    });
  };

  // ---------------------------------------------------------------- a fresh board

  let revision = board().dataset.revision;

  const begin = () => {
    document.querySelectorAll("dialog[open][data-modal]").forEach((dialog) => {
      dialog.removeAttribute("data-modal");
      show(dialog);
    });
    countRoles();
    // What the judge must see is not under the log.
    if (document.querySelector(".rule--due") && board().dataset.revision !== revision) {
      document.documentElement.classList.remove("log-open");
    }
    revision = board().dataset.revision;
    const offer = document.querySelector("[data-offer]");
    if (offer) setTimeout(() => offer.remove(), OFFERED);
  };

  document.addEventListener("htmx:afterSettle", begin);
  begin();
})();
