// Fewer taps: a foul is one on the dots of its seat, the fourth by holding; a nominee held passes the word on; the third
// seat of a best move sends it; the shots that the don has ordered need one tap each.
(() => {
  "use strict";
  const HOLD = 800; // ms, as long as the bar takes to fill

  const rowOf = (seat) => document.querySelector(`a[data-seat="${seat}"]`);
  const dotsOf = (seat) => document.querySelector(`[data-foul="${seat}"]`);
  const takesFouls = (row) => row && !row.dataset.off.split(" ").includes("foul");

  const write = (seat, isFourth) => {
    const form = document.querySelector(`#seat-sheet form[data-act=foul][${isFourth ? "data-fourth-only" : "data-ordinary"}]`);
    if (!form) return;
    form.querySelectorAll("input[name=seat]").forEach((input) => {
      input.value = seat;
    });
    const number = window.queue?.newNumber(); // the sheet's own would be taken for a second tap on the same
    if (number) form.querySelector("input[name=uuid]").value = number;
    if (isFourth) {
      const sure = document.createElement("input");
      Object.assign(sure, { type: "hidden", name: "sure", value: "1" });
      sure.dataset.held = "1"; // taken out again by whoever sends the form
      form.append(sure);
    }
    form.requestSubmit(form.querySelector("button"));
  };

  // ---------------------------------------------------------------- the hold

  let held = null;
  let ended = null; // the dots whose hold is over: the click that follows is no tap

  const letGo = () => {
    if (!held) return;
    clearTimeout(held.timer);
    held.dots.classList.remove("held");
    held = null;
  };

  const hold = (seat) => {
    letGo();
    const dots = dotsOf(seat);
    dots.classList.add("held");
    const timer = setTimeout(() => {
      letGo();
      ended = dots;
      if (dots.isConnected) write(seat, true);
    }, HOLD);
    held = { dots, seat, timer };
  };

  document.addEventListener("pointerdown", (event) => {
    const dots = event.target.closest("[data-foul]");
    ended = null;
    if (!dots || event.button) return;
    const row = rowOf(dots.dataset.foul);
    if (takesFouls(row) && "fourth" in row.dataset) hold(dots.dataset.foul);
  });
  ["pointerup", "pointercancel", "scroll"].forEach((name) => document.addEventListener(name, letGo, true));
  document.addEventListener("contextmenu", (event) => {
    if (event.target.closest("[data-foul]")) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const dots = event.target.closest("[data-foul]");
    if (!dots) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (ended === dots) {
      ended = null;
      return;
    }
    const row = rowOf(dots.dataset.foul);
    if (event.detail > 1) return; // the second half of a double tap
    // What needs more than a tap is said on the sheet of the seat.
    if (!takesFouls(row) || "fourth" in row.dataset) row?.click();
    else write(dots.dataset.foul, false);
  }, true);

  // ---------------------------------------------------------------- nominate, and the word passes on

  const PASS = 500; // ms
  let passing = null;

  const stay = () => {
    if (!passing) return;
    clearTimeout(passing.timer);
    passing.key.classList.remove("held");
    passing = null;
  };

  document.addEventListener("pointerdown", (event) => {
    const key = event.target.closest("#pad button");
    const pad = key?.form;
    document.querySelectorAll("#pad[data-passed]").forEach((form) => delete form.dataset.passed);
    if (!pad?.querySelector("input[name=then-moment]") || event.button || key.getAttribute("aria-disabled")) return;
    stay();
    key.classList.add("held");
    const timer = setTimeout(() => {
      stay();
      if (!key.isConnected) return;
      const then = document.createElement("input");
      Object.assign(then, { type: "hidden", name: "then-kind", value: "turn" });
      pad.append(then);
      pad.dataset.passed = "1";
      pad.requestSubmit(key);
      then.remove();
    }, PASS);
    passing = { key, timer };
  });
  ["pointerup", "pointercancel", "scroll"].forEach((name) => document.addEventListener(name, stay, true));
  document.addEventListener("contextmenu", (event) => {
    if (event.target.closest("#pad")) event.preventDefault();
  });
  // The finger that is lifted after a hold taps nothing.
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#pad[data-passed]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    delete event.target.closest("#pad").dataset.passed;
  }, true);

  // ---------------------------------------------------------------- the best move is three seats

  document.addEventListener("change", (event) => {
    const pad = event.target.closest('#pad[data-many="3"]');
    if (pad?.querySelectorAll(":checked").length === 3) pad.requestSubmit(document.getElementById("next"));
  });

  // ---------------------------------------------------------------- the order of shots, kept on this device only

  const board = () => document.getElementById("board");
  const store = () => `plan.${document.body.dataset.user}.${location.pathname}`;
  const plan = () => {
    try {
      return JSON.parse(localStorage.getItem(store())) ?? [];
    } catch {
      return [];
    }
  };
  const keepPlan = (seats) => {
    try {
      localStorage.setItem(store(), JSON.stringify(seats));
    } catch {
      // Without storage there is no plan; every shot is still one tap.
    }
    showPlan();
  };

  const showPlan = () => {
    const dialog = document.getElementById("plan");
    if (!dialog) return;
    const seats = plan();
    dialog.querySelector("[data-plan-order]").textContent = seats.join(", ") || "—";
    dialog.querySelector("[data-plan-count]").textContent = "•".repeat(seats.length);
    dialog.querySelectorAll("[data-plan]").forEach((key) => {
      key.setAttribute("aria-pressed", String(seats.includes(Number(key.dataset.plan))));
    });
  };

  // The shot that the don has ordered for this night is the next action, as long as its seat is at the table.
  const offerShot = () => {
    const pad = document.querySelector("#pad.pad--shot");
    const place = board()?.querySelector(".panel__main.main--waits");
    if (!pad || !place) return;
    const night = Number(pad.querySelector("input[name=moment]").value.split(".")[0]);
    const seat = plan()[night - 1];
    const key = seat && pad.querySelector(`button[value="${seat}"]:not([aria-disabled])`);
    if (!key) return;
    const next = document.createElement("button");
    Object.assign(next, { className: "panel__main main", id: "next", name: "target", value: String(seat) });
    next.setAttribute("form", "pad");
    const label = document.createElement("span");
    label.className = "main__label";
    label.textContent = document.getElementById("plan").dataset.shot.replace("{seat}", seat);
    next.append(label);
    place.replaceWith(next);
  };

  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-plan]");
    if (event.target.closest("[data-plan-clear]")) keepPlan([]);
    if (!key) return;
    const seat = Number(key.dataset.plan);
    const seats = plan();
    keepPlan(seats.includes(seat) ? seats.filter((other) => other !== seat) : [...seats, seat]);
    offerShot();
  });
  document.addEventListener("htmx:afterSettle", offerShot);
  showPlan();
  offerShot();

  // ---------------------------------------------------------------- from the keyboard

  document.addEventListener("foul:press", (event) => {
    const row = rowOf(event.detail);
    if (!row) return;
    if (!takesFouls(row)) row.click();
    else if ("fourth" in row.dataset) hold(String(event.detail));
    else write(event.detail, false);
  });
  document.addEventListener("foul:release", letGo);
})();
