// A board without the server: rows, panel and log as they will be when the entries that wait have been written.
// Everything that the rules would say of them is marked as still to be checked.
(() => {
  "use strict";
  if (!document.getElementById("offline")) return;
  const SEATS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const { words, fill, make, find, valuesOf, textOf, nameOf, namesOf, plainNames, momentWords } = window.offline;

  // ---------------------------------------------------------------- rows and log

  const drawRow = (seat, before, course) => {
    const row = find(`#seat-${seat}`);
    const open = row?.querySelector(".seat__open");
    if (!open) return;
    const day = course.day?.number === course.moment[0] && !window.course.isNight(course.moment) ? course.day : null;
    const fouls = course.fouls[seat - 1];
    row.querySelectorAll(".seat__fouls i").forEach((dot, index) => {
      if (index >= before.fouls[seat - 1] && index < fouls) dot.className = "on pending";
    });
    const gone = !window.course.lives(course, seat);
    const speaking = !course.over && speakerAt(course) === seat;
    row.classList.toggle("seat--speaking", speaking);
    row.querySelector(".seat__now").textContent = speaking ? "▸" : "";
    const marks = row.querySelector(".seat__marks");
    const said = [nameOf(seat), fill(window.queue.counted(words.fouls, fouls), { n: fouls })];
    if (gone) {
      if (window.course.lives(before, seat)) {
        row.classList.add("seat--left");
        marks.replaceChildren(make("span", { class: "seat__left pending", title: words.checked }, `${words.left} ?`));
      }
      said.push(row.querySelector(".seat__left")?.textContent ?? "");
    } else {
      const silent = course.due.includes(seat) || (speaking && day?.silent.includes(seat));
      const target = day?.nominations.find(([by]) => by === seat)?.[1];
      const place = (day?.nominations.findIndex(([, of]) => of === seat) ?? -1) + 1;
      const was = (by, of) => before.day?.number === day?.number && before.day?.nominations.some(([a, b]) => (by ? a === by : b === of));
      marks.replaceChildren(...[
        silent ? make("span", { class: `seat__silent${before.due.includes(seat) ? "" : " pending"}` }, words.silent) : null,
        target ? make("span", { class: `seat__nominates${was(seat, 0) ? "" : " pending"}` }, `→${target}`) : null,
        place ? make("span", { class: `seat__ballot${was(0, seat) ? "" : " pending"}` }, make("i", { "aria-hidden": "true" }), String(place)) : null,
      ].filter(Boolean));
      said.push(...[...marks.children].map((mark) => mark.textContent));
      if (speaking) said.push(words.word);
    }
    row.querySelector(".seat__open > .visually-hidden").textContent = said.filter(Boolean).join(", ");
    const off = new Set(open.dataset.off.split(" ").filter(Boolean));
    if (fouls >= 4 || course.removed.includes(seat)) off.add("foul").add("disqualifying");
    open.dataset.off = [...off].join(" ");
    if (fouls === 3) open.dataset.fourth = "";
    else delete open.dataset.fourth;
    const mine = day?.nominations.some(([by]) => by === seat);
    if (speaking && mine) open.dataset.withdraw = "";
    else delete open.dataset.withdraw;
    const dots = row.querySelector("a.seat__foul");
    if (off.has("foul")) ["href", "role", "data-foul", "aria-label"].forEach((name) => dots?.removeAttribute(name));
    else dots?.setAttribute("aria-label", fill(fouls === 3 ? words.foul_fourth : words.foul_of, { seat: nameOf(seat) }));
    open.dataset.state = fill(window.queue.counted(words.fouls, fouls), { n: fouls });
  };

  const speakerAt = (course) => {
    const [number, phase, ballot] = course.moment;
    const day = course.day;
    if (!day || day.number !== number) return 0;
    if (phase === 30) return day.spoken.filter(([of]) => of === ballot).pop()?.[1] ?? 0;
    if (phase === 50) return day.words[day.words.length - 1] ?? 0;
    if (phase === 10) return course.nights[number - 1]?.victim ?? 0;
    return window.course.speakerOf(course);
  };

  const time = (entry) => new Date(entry.at).toLocaleTimeString("ru", { hour12: false });

  const drawLog = (entries, gone) => {
    const log = find(".log");
    if (!log) return;
    const line = (entry, mark, meta, back) => make(
      "li", { class: `log__line log__line--${mark}` }, make(
        "div", { class: "log__entry" }, make("span", { class: "log__number" }, mark === "pending" ? "…" : "—"), make(
          "span", { class: "log__words" }, mark === "pending" ? textOf(entry) : make("s", {}, entry.text || textOf(entry)),
          make("span", { class: "log__meta" }, `${meta} · ${time(entry)}`),
        ),
        back ? make("button", { class: "button log__back", type: "button", "data-take-back": entry.uuid, "aria-label": `${words.take_back}: ${textOf(entry)}` }, "↶") : null,
      ),
    );
    const lines = [
      ...entries.map((entry) => line(entry, "pending", words.pending, true)), ...gone.map((entry) => line(entry, "struck", words.taken_back, false)),
    ];
    log.prepend(...lines.reverse());
  };

  // ---------------------------------------------------------------- what is told of it

  const consequences = (before, after) => {
    const told = [];
    const left = before.living.filter((seat) => !after.living.includes(seat));
    if (left.length) told.push(fill(words.left_long, { seat: namesOf(left) }));
    after.due.filter((seat) => !before.due.includes(seat)).forEach((seat) => told.push(fill(words.silenced, { seat: nameOf(seat) })));
    if (after.day?.tied.length && after.day.ballots.length > (before.day?.ballots.length ?? 0) - 1 && !before.day?.tied.length) {
      told.push(fill(words.tie, { seats: plainNames(after.day.tied) }));
    }
    return told.map((text) => `${text} — ${words.checked}`);
  };

  const drawRule = (text) => {
    const rule = find(".rule");
    rule.className = "rule rule--waits";
    rule.removeAttribute("role");
    rule.replaceChildren(make("p", { class: "rule__words" }, make("b", { class: "rule__mark", "aria-hidden": "true" }, "…"), make("span", {}, text)));
  };

  const drawSaved = ({ waiting, unsaved, trouble, pristine }) => {
    const place = find("[data-saved]");
    if (!place) return;
    const parts = [];
    const n = waiting.length;
    if (["login", "user", "denied"].includes(trouble)) {
      const link = make("a", { class: "board__login", href: window.queue.address.login, title: words.login_why }, words.login);
      parts.push(make("span", {}, ...(n ? [`${fill(window.queue.counted(words.waits, n), { n })} · `] : []), link));
    } else if (n) {
      parts.push(make("span", {}, trouble ? fill(window.queue.counted(words.waits, n), { n }) : words.saving));
    }
    if (unsaved.length) {
      const text = fill(window.queue.counted(words.unsaved, unsaved.length), { n: unsaved.length });
      parts.push(make("a", { class: "board__unsaved", href: "#", role: "button", "data-tray": "" }, text));
    }
    place.classList.toggle("board__saved--waits", parts.length > 0);
    if (parts.length) place.replaceChildren(...parts);
    else place.replaceChildren(...[...pristine.copy.querySelector("[data-saved]").cloneNode(true).childNodes]);
    place.dataset.waiting = n;
    place.dataset.unsaved = unsaved.length;
  };

  // ---------------------------------------------------------------- entries that the judge has to say something on

  const tray = (unsaved, open) => {
    let dialog = document.getElementById("unsaved");
    if (!unsaved.length) {
      dialog?.remove();
      return;
    }
    const items = unsaved.map((entry) => make(
      "li", { class: "drawer__item unsaved" },
      make("p", { class: "unsaved__text" }, make("b", {}, entry.text || textOf(entry)), ` · ${time(entry)}`), make("p", { class: "unsaved__why" }, entry.words ?? ""),
      make(
        "div", { class: "drawer__answers" },
        make("button", { class: "button", type: "button", "data-discard": entry.uuid }, words.discard),
        make("button", { class: "button button--primary", type: "button", "data-write-now": entry.uuid }, words.write),
      ),
    ));
    const isNew = !dialog;
    dialog ??= make("dialog", { class: "drawer", id: "unsaved", "aria-labelledby": "unsaved-title" });
    dialog.replaceChildren(
      make(
        "div", { class: "drawer__head" }, make("h2", { class: "drawer__title", id: "unsaved-title", tabindex: "-1" }, words.tray),
        make("button", { class: "drawer__close", type: "button", "data-close": "", "aria-label": words.close }, "✕"),
      ),
      make("p", { class: "drawer__line" }, words.tray_why), make("ul", { class: "drawer__lines" }, items),
    );
    if (isNew) document.body.append(dialog);
    if ((open || isNew) && !document.querySelector("dialog[open]")) dialog.showModal();
  };

  // ---------------------------------------------------------------- all of it

  let drawn = "";

  // The course at an earlier revision, for an entry undone without a network.
  const courses = new Map();

  const draw = (queue) => {
    const { list, trouble, pristine, waiting, unseen, unsaved } = queue;
    if (!pristine) return;
    if (!courses.has(pristine.revision)) courses.set(pristine.revision, pristine.copy.dataset.course);
    const entries = list.filter((entry) => (!entry.status && !entry.undone) || unseen.includes(entry));
    const gone = list.filter((entry) => entry.status === "gone" || (entry.undone && !entry.status));
    const overlaid = unseen.length > 0 || waiting.length > (trouble ? 0 : 1);
    const now = `${pristine.revision} ${trouble} ${overlaid} ${window.offline.wanted()} ${list.map((entry) => entry.uuid + entry.status + entry.undone)}`;
    drawSaved(queue);
    if (unsaved.length) {
      tray(unsaved.filter((entry) => entry.status !== "asked" || !find(".drawer--question")), false);
    } else {
      tray([], false);
    }
    if (now === drawn) return;
    const before = drawn;
    drawn = now;
    if (!overlaid && !gone.length && (!before || !dirty)) return;
    restore(pristine);
    if (overlaid) overlay(entries, trouble, pristine);
    if (overlaid || gone.length) drawLog(overlaid ? entries : [], gone);
    document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
  };

  let dirty = false;

  const restore = (pristine) => {
    dirty = false;
    [".seats", "#panel", ".side__log", ".rule", ".board__where b"].forEach((what) => {
      const fresh = pristine.copy.querySelector(what)?.cloneNode(true);
      const old = find(what);
      if (!fresh || !old) return;
      const place = old.scrollTop;
      old.replaceWith(fresh);
      fresh.scrollTop = place;
      htmx.process(fresh);
    });
    find("[data-offer]")?.remove();
    document.getElementById("board").classList.toggle("board--night", pristine.copy.classList.contains("board--night"));
  };

  const overlay = (entries, trouble, pristine) => {
    dirty = true;
    const start = JSON.parse(pristine.copy.dataset.course);
    let course = start;
    let before = start;
    entries.forEach((entry) => {
      before = course;
      valuesOf(entry, course).forEach((value) => {
        if (value.kind === "strike") {
          const of = Number(window.queue.field(entry, "of"));
          if (of === pristine.revision && courses.has(of - 1)) course = JSON.parse(courses.get(of - 1));
          return;
        }
        try {
          course = window.course.after(course, value);
        } catch {
          // What no script can play on is the server's to say.
        }
      });
    });
    const steps = window.course.steps(course);
    SEATS.forEach((seat) => drawRow(seat, start, course));
    find("#panel").replaceWith(window.offline.panelFor(course, entries, pristine.revision));
    const told = consequences(before, course);
    drawRule(told.length ? told.join(". ") : trouble === "slow" ? words.slow : words.offline);
    const awaited = window.course.isNight(steps[0].moment) && course.moment[0] ? steps[0].moment : course.moment;
    find(".board__where b").textContent = course.over ? words.is_over : momentWords(awaited);
    document.getElementById("board").classList.toggle("board--night", !course.over && window.course.isNight(course.moment));
    const sheet = document.getElementById("seat-sheet");
    sheet?.querySelectorAll("input[name=moment]").forEach((input) => {
      input.value = course.moment.join(".");
    });
    if (sheet?.open && entries.length) sheet.close();
  };

  // A sheet opened anew is a new tap: its forms have numbers of their own.
  document.addEventListener("click", (event) => {
    if (!event.target.closest("a[data-seat]")) return;
    document.querySelectorAll("#seat-sheet input[name=uuid]").forEach((input) => {
      input.value = window.queue.newNumber();
    });
  }, true);

  // What has to be fetched can't be had now.
  ["htmx:sendError", "htmx:timeout"].forEach((name) => document.addEventListener(name, () => {
    window.queue.tell(words.needs_network);
  }));

  Object.assign(window.offline, { draw, tray });
})();
