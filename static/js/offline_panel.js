// The panel of a board without the server: what is asked now, the pad that answers it, the one next action. The order
// of play comes from course.js, the words and the look are those of the server's own panel.
(() => {
  "use strict";
  if (!document.getElementById("offline")) return;
  const SEATS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const OFFERED = 8000; // ms
  const { words, fill, make, nameOf, namesOf, plainNames, ballotWords, valueOf, valuesOf, textOf } = window.offline;

  // ---------------------------------------------------------------- forms

  const form = (kind, moment, fields, attributes, ...children) => make(
    "form", { method: "post", action: window.queue.address.entries, ...attributes },
    [["kind", kind], ["moment", moment.join(".")], ...Object.entries(fields), ["uuid", window.queue.newNumber()],
      ["revision", seen], ["csrfmiddlewaretoken", window.queue.cookie()]]
      .map(([name, value]) => make("input", { type: "hidden", name, value })),
    ...children,
  );
  let seen = 0;

  const turnForm = (step, attributes, ...children) =>
    form("turn", step.moment, step.seat ? { seat: step.seat } : {}, attributes, ...children);

  const mainButton = (label, note, more = {}) => make(
    "button", { class: "main", id: "next", ...more },
    make("span", { class: "main__label" }, label, make("span", { class: "main__arrow", "aria-hidden": "true" }, " →")),
    note ? make("span", { class: "main__note" }, note) : null,
  );
  const waits = (label, note) => make(
    "p", { class: "panel__main main main--waits" },
    make("span", { class: "main__label" }, label), note ? make("span", { class: "main__note" }, note) : null,
  );

  const pad = (look, kind, moment, fields, name, keys) => form(
    kind, moment, fields, { class: `pad pad--${look}`, id: "pad" },
    keys.map(({ value, label, lit, mark }) => make(
      "button",
      { class: `key${lit ? "" : " key--off"}${mark ? ` key--${mark}` : ""}`, name, value, "aria-disabled": lit ? null : "true" },
      String(label ?? value),
    )),
  );
  const seatKeys = (lit, mark) => SEATS.map((seat) => ({ value: seat, lit: lit(seat), mark: mark?.(seat) ?? "" }));
  const countKeys = (lit, mark) => [0, ...SEATS].map((value) => ({ value, lit: lit(value), mark: mark?.(value) ?? "" }));

  // ---------------------------------------------------------------- the panel

  const isTurn = (step) =>
    ["begin", "speech", "vote", "pre_revote", "last_words", "night", "victim_words"].includes(step.code);

  const stepWords = (step) => {
    const values = { seat: step.seat ? nameOf(step.seat) : "", day: step.moment[0] };
    if (step.code === "speech") return fill(step.silent ? words.step_silent : words.step_speech, values);
    if (step.code === "pre_revote") return fill(words.step_speech, values);
    if (step.code === "victim_words") return fill(words.step_last_words, values);
    if (step.code === "tally") return ballotWords(step.moment[2]);
    return fill(words[`step_${step.code}`] ?? step.code, values);
  };

  // A don or sheriff who has left is called like one who plays on: a call left out would tell the hall their role.
  const called = (course, until) => {
    const phase = course.moment[1];
    const codes = window.course.steps(course).map((step) => step.code);
    let asleep = words.say_mafia_sleeps;
    const lines = [];
    for (const [at, code, wakes, sleeps] of [
      [70, "don", words.say_don, words.say_don_sleeps],
      [80, "sheriff", words.say_sheriff, words.say_sheriff_sleeps],
    ]) {
      if (at === until || (phase < at && at < until && !codes.includes(code))) lines.push(`${asleep} ${wakes}`);
      if (at < until) asleep = sleeps;
    }
    return until === 90 ? [...lines, asleep] : lines;
  };

  const morning = (course) => {
    if (course.moment[0] === 0) return [words.say_agree, words.say_look, words.say_morning];
    const victim = course.nights[course.moment[0]]?.victim;
    return [...called(course, 90), victim ? fill(words.say_killed, { seat: nameOf(victim) }) : words.say_nobody];
  };

  const says = (course, step) => {
    if (step.code === "shot") return [words.say_shot];
    if (step.code === "don") return called(course, 70);
    if (step.code === "sheriff") return called(course, 80);
    if (!window.course.isNight(course.moment)) return [];
    if (step.code === "best_move") return [[...morning(course), words.say_best_move].join(" ")];
    return ["speech", "victim_words"].includes(step.code) && course.moment[1] < 90 ? morning(course) : [];
  };

  const shown = (course) => {
    const [number, phase] = course.moment;
    const now = course.nights[number];
    if (!now || !course.black.length) return [];
    let key;
    let asked;
    if (phase === 70 && now.don) {
      key = now.don === course.sheriff ? "yes" : "no";
      asked = fill(words.answer_don, { seat: now.don });
    } else if (phase === 80 && now.sheriff) {
      key = course.black.includes(now.sheriff) ? "black" : "red";
      asked = fill(words.answer_sheriff, { seat: now.sheriff });
    } else {
      return [];
    }
    const [answer, gesture] = words.answers[key];
    return [
      make("button", { class: "shown", type: "button", "data-peek": "answer" }, asked, make("b", {}, words.hold)),
      make("p", { class: `answer answer--${key}` }, make("b", { class: "answer__words" }, answer), make("span", {}, gesture)),
    ];
  };

  // What is going on now, over a step that only moves on: prompt, hint, pad.
  const context = (course, step) => {
    const day = course.day && course.day.number === course.moment[0] ? course.day : null;
    const speaker = window.course.speakerOf(course);
    const [, phase, ballot] = course.moment;
    if (day && speaker && window.course.lives(course, speaker)) {
      const mine = day.nominations.find(([by]) => by === speaker)?.[1];
      const nominated = day.nominations.map(([, target]) => target);
      const free = (seat) => !mine && window.course.lives(course, seat) && !nominated.includes(seat);
      return {
        prompt: fill(day.silent.includes(speaker) ? words.no_word : words.speaks, { seat: nameOf(speaker) }),
        hint: mine ? fill(words.has_nominated, { target: mine }) : words.nominates,
        pad: pad("ten", "nomination", course.moment, { seat: speaker }, "target",
          seatKeys(free, (seat) => (seat === mine ? "chosen" : ""))),
      };
    }
    if (phase === 50 && day?.words.length) {
      return { prompt: fill(words.last_words, { seat: nameOf(day.words[day.words.length - 1]) }) };
    }
    if (phase === 10) {
      return { prompt: fill(words.last_words, { seat: nameOf(course.nights[course.moment[0] - 1].victim) }) };
    }
    if (step.code === "pre_revote") {
      const spoken = day.spoken.filter(([number]) => number === ballot);
      if (phase === 30 && spoken.length) {
        return { prompt: fill(words.speaks, { seat: nameOf(spoken[spoken.length - 1][1]) }), hint: words.before_revote };
      }
      return { prompt: fill(words.tie, { seats: namesOf(day.tied) }), hint: words.tie_speak };
    }
    if (day && speaker && step.code === "speech") return { prompt: fill(words.has_left, { seat: nameOf(speaker) }) };
    if (day?.decision && !window.course.isNight(course.moment)) {
      return { prompt: day.decision.length ? fill(words.leaving, { seats: namesOf(day.decision) }) : words.nobody_leaves };
    }
    if (day?.speeches.length && !window.course.isNight(course.moment)) return { prompt: words.spoken };
    return {};
  };

  const views = {
    begin: (course, step) => ({
      prompt: words.at_table, main: turnForm(step, { class: "panel__main" }, mainButton(words.begin, words.night_zero)),
    }),
    tally: (course, step) => {
      const { ballot, seat, count, last } = step;
      const spoken = course.day.spoken.filter(([number]) => number === course.moment[2]);
      const speaking = course.moment[1] === 30 && spoken.length && !ballot.tallies.length;
      const keys = countKeys((n) => (last ? n === count : n <= count), (n) => (last && n === count ? "chosen" : ""));
      const tallies = Object.fromEntries(ballot.tallies);
      return {
        prompt: speaking ? fill(words.speaks, { seat: nameOf(spoken[spoken.length - 1][1]) }) : fill(words.for, { seat: nameOf(seat) }),
        hint: speaking
          ? fill(words.then_revote, { seat })
          : fill(words.hands_left, { ballot: ballotWords(step.moment[2]), left: count, living: ballot.living }),
        cells: ballot.candidates.map((of) => [of, tallies[of] ?? "·", of === seat]),
        pad: pad("tally", "vote", step.moment, { target: seat }, "count", keys),
        main: last
          ? form("vote", step.moment, { target: seat }, { class: "panel__main" },
            mainButton(fill(words.write_count, { count }), fill(words.rest_for, { seat }), { name: "count", value: count }))
          : waits(words.how_many, fill(words.for_number, { seat })),
      };
    },
    raise_all: (course, step) => {
      const living = course.living.length;
      const mark = (n) => (n >= step.count && n <= living ? "enough" : "");
      return {
        prompt: fill(words.all_leave, { seats: namesOf(step.seats) }),
        hint: fill(words.needed, { needed: step.count, living }),
        pad: pad("tally", "raise_all", step.moment, {}, "count", countKeys((n) => n <= living, mark)),
        main: waits(words.how_many, words.all_leaving),
      };
    },
    shot: (course, step) => {
      const keys = seatKeys((seat) => window.course.lives(course, seat));
      keys.splice(5, 0, { value: "miss", label: words.miss, lit: true, mark: "miss" });
      return { pad: pad("shot", "shot", step.moment, {}, "target", keys), main: waits(words.whom_shoot, words.or_miss) };
    },
    check: (course, step) => ({
      pad: pad("ten", "check", step.moment, { by: step.code }, "target", seatKeys(() => true)),
      main: waits(step.code === "don" ? words.whom_don : words.whom_sheriff),
    }),
    best_move: (course, step) => {
      const keys = SEATS.map((seat) => make(
        "label", { class: `key${seat === step.seat ? " key--off" : ""}` },
        make("input", {
          class: "key__tick", type: "checkbox", name: "seats", value: seat, disabled: seat === step.seat,
          "aria-label": nameOf(seat),
        }),
        make("span", {}, String(seat)),
      ));
      const label = make("span", { class: "main__label" }, words.write_move, make("span", { "data-ticked": "" }));
      return {
        ...(says(course, step).length ? {} : { prompt: fill(words.best_move, { seat: nameOf(step.seat) }), hint: words.three_black }),
        pad: form("best_move", step.moment, {}, { class: "pad pad--ten pad--many", id: "pad", "data-many": "3" }, keys),
        main: make("div", { class: "panel__main" }, make(
          "button", { class: "main", id: "next", form: "pad" }, label, make("span", { class: "main__note" }, words.move_note),
        )),
      };
    },
    finish: () => ({
      prompt: words.over,
      main: make(
        "a", { class: "panel__main main", id: "next", href: window.queue.address.finish },
        make("span", { class: "main__label" }, words.step_finish), make("span", { class: "main__note" }, words.checked),
      ),
    }),
    move: (course, step) => {
      let note = "";
      if (step.code === "vote") note = fill(words.order, { seats: plainNames(step.seats) });
      else if (step.seconds && step.seat) note = fill(words.seconds, { seconds: step.seconds });
      return { main: turnForm(step, { class: "panel__main" }, mainButton(stepWords(step), note)) };
    },
  };

  const timerFor = (course, entries) => {
    const begins = (value) => ["turn", "shot", "check"].includes(value.kind);
    const last = [...entries].reverse().find((entry) => valuesOf(entry, true).some(begins));
    const step = window.course.steps(course)[0];
    const checking = ["don", "sheriff"].includes(step?.code);
    if (!last) return null;
    const value = valuesOf(last, true).filter(begins).pop();
    if (!checking && (value.kind !== "turn" || !window.course.isSame(value.moment, course.moment))) return null;
    const { rules, day } = course;
    const [number, phase] = course.moment;
    let seconds = 0;
    if (checking) seconds = step.seconds;
    else if (phase === 20 && !day.silent.includes(value.seat)) seconds = day.short.includes(value.seat) ? rules.short : rules.speech;
    else if (phase === 30) seconds = rules.tied;
    else if (phase === 10) seconds = rules.last;
    else if (phase === 50) seconds = day.decision?.length === 1 ? rules.last : rules.raised;
    else if (number === 0) seconds = rules.night;
    if (!seconds) return null;
    let began;
    try {
      began = JSON.parse(localStorage.getItem("clock.taps"))?.[last.uuid];
      began ??= Date.parse(last.at) - (JSON.parse(localStorage.getItem("clock.skew")) ?? 0);
    } catch {
      began = Date.parse(last.at);
    }
    const more = (by) => make("button", { class: "timer__more", type: "button", "data-timer-add": by, hidden: true, "aria-label": by > 0 ? words.more : words.less }, by > 0 ? "+5" : "−5");
    return make(
      "div",
      {
        class: "timer", role: "group", "aria-label": words.time, "data-timer": "", "data-entry": last.uuid, "data-sets": "1",
        "data-clock": `/games/${window.queue.address.game}/clock/`, "data-seconds": seconds,
        "data-deadline": Math.round(began + seconds * 1000), "data-left": "", "data-changed": "0", "data-now": "0",
        "data-ending": words.ending, "data-over": words.time_is_up,
      },
      more(-5),
      make(
        "button", { class: "timer__face", type: "button", "data-timer-pause": "", "aria-pressed": "false" },
        make("span", { class: "visually-hidden" }, words.pause),
        make("span", { class: "timer__left", role: "timer", "data-timer-left": "" }, `0:${String(seconds % 60).padStart(2, "0")}`),
        make("span", { class: "timer__mark", "aria-hidden": "true" }),
      ),
      more(5),
    );
  };

  const offerFor = (course, entries) => {
    const last = entries[entries.length - 1];
    const value = last && valueOf(last, true);
    if (value?.kind !== "foul" || value.penalty !== "foul" || window.queue.field(last, "clause")) return null;
    if (Date.now() - Date.parse(last.at) > OFFERED) return null;
    const label = fill(words.foul_for_what, { n: course.fouls[value.seat - 1], seat: nameOf(value.seat) });
    return make(
      "div", { class: "offer", "data-offer": "" },
      make("p", { class: "offer__label" }, make("span", {}, label), make(
        "a", { class: "offer__close", href: window.queue.address.board, "data-dismiss": "", "aria-label": words.no_reason }, "✕",
      )),
      form("foul_clause", [99, 99, 0, 0], { of: `uuid:${last.uuid}` }, { class: "offer__reasons" }, words.reasons.map(
        ([clause, short, long]) => make(
          "button", { class: "chip", name: "clause", value: clause, title: long }, make("b", {}, clause), ` ${short}`,
        ),
      )),
    );
  };

  let wanted = "";

  const panelFor = (course, entries) => {
    const found = window.course.steps(course);
    const first = found.find((step) => step.code === wanted) ?? found[0];
    const others = found.filter((step) => step !== first);
    const view = ["don", "sheriff"].includes(first.code) ? views.check(course, first)
      : (views[first.code] ?? views.move)(course, first);
    const over = isTurn(first) && !view.prompt ? context(course, first) : {};
    const prompt = view.prompt ?? over.prompt ?? "";
    const timed = first.code === "finish" ? null : timerFor(course, entries);
    const answer = shown(course);
    const last = entries[entries.length - 1];
    const spoken = says(course, first);
    const aloud = spoken.length ? make("div", { class: "panel__says" }, spoken.map((line) => make("p", {}, line))) : null;
    return make(
      "div", { class: "panel panel--pending", id: "panel" },
      answer.length ? null : aloud,
      make(
        "div", { class: "panel__top" },
        make(
          "div", { class: "panel__now" },
          prompt || !answer.length ? make(
            "div", { class: "panel__words" }, make("p", { class: "panel__prompt" }, prompt),
            make("p", { class: "panel__hint" }, view.hint ?? over.hint ?? ""),
          ) : null,
          answer, timed,
        ),
        offerFor(course, entries),
      ),
      answer.length ? aloud : null,
      view.cells ? make("ol", { class: "cells", "aria-label": words.tallies }, view.cells.map(([seat, votes, now]) => make(
        "li", { class: `cell${now ? " cell--now" : ""}` },
        make("span", { class: "cell__seat" }, String(seat)), " ", make("b", { class: "cell__votes" }, String(votes)),
      ))) : null,
      view.pad ?? over.pad ?? null,
      make(
        "div", { class: "panel__bar" },
        last ? make("div", { class: "panel__undo" }, make(
          "button", { class: "undo", type: "button", "data-take-back": last.uuid, "aria-label": `${words.undo}: ${textOf(last)}` },
          make("span", { "aria-hidden": "true" }, "↶"), ` ${textOf(last)}`,
        )) : make("span", { class: "panel__undo" }),
        others.length ? make(
          "details", { class: "others" },
          make("summary", { class: "others__open", "aria-label": words.others }, "…"),
          make("div", { class: "others__list" }, others.map((step) => (isTurn(step)
            ? turnForm(step, {}, make("button", { class: "others__item" }, stepWords(step)))
            : make("a", { class: "others__item", href: step.code === "finish" ? window.queue.address.finish : "#", "data-step": step.code }, stepWords(step))))),
        ) : null,
        view.main,
      ),
    );
  };

  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]")?.dataset.step;
    if (!step || step === "finish") return;
    event.preventDefault();
    wanted = step;
    window.queue.show();
  });

  window.offline.panelFor = (course, entries, revision) => {
    seen = revision;
    if (!window.course.steps(course).some((step) => step.code === wanted)) wanted = "";
    return panelFor(course, entries);
  };
  window.offline.wanted = () => wanted;
})();
