// A board without the server: entries as values for the course, and the words for them. The panel is drawn by
// offline_panel.js, rows and log by offline.js.
(() => {
  "use strict";
  if (!document.getElementById("offline")) return;
  const SEATS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const find = (what) => document.getElementById("board")?.querySelector(what);
  const words = JSON.parse(document.getElementById("offline").dataset.words);
  const fill = (text, values) => text.replace(/%\((\w+)\)[sd]/g, (whole, name) => values[name] ?? whole);

  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => {
      if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value === true ? "" : value);
    });
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  };

  // ---------------------------------------------------------------- an entry, out of its fields

  const KNOWN = ["seat", "target", "count", "by", "penalty", "roles"];
  const NUMBERS = ["seat", "target", "count"];

  const valueOf = (entry, course) => {
    const get = (name) => window.queue.field(entry, name);
    const value = { kind: get("kind"), moment: (get("moment") ?? "0.0.0.0").split(".").map(Number) };
    KNOWN.forEach((name) => {
      const text = get(name);
      if (text !== undefined && text !== "") value[name] = NUMBERS.includes(name) ? Number(text) || 0 : text;
    });
    if (value.kind === "foul") value.penalty ??= "foul";
    if (value.kind === "vote" && value.count === undefined) {
      value.count = entry.fields.filter(([name]) => name === "voters").length;
    }
    if (value.kind === "roles") {
      value.roles ??= SEATS.map((seat) => get(`role_${seat}`) ?? "").join("");
      if (value.roles.length !== 10) return null;
    }
    if (value.kind === "raise_all" && value.count === undefined) value.raised = get("raised") === "true";
    if (value.kind === "shot" && get("target") === undefined) {
      const aims = new Set(entry.fields.filter(([name]) => name.startsWith("by_")).map(([, aim]) => aim));
      value.target = aims.size === 1 ? Number([...aims][0]) || 0 : 0;
    }
    return get("replaces") || !course ? null : value;
  };

  // A tap may write an entry before and after its own, in fields that begin with first- and then-.
  const valuesOf = (entry, course) => ["first-", "", "then-"].map((prefix) => {
    if (!prefix) return valueOf(entry, course);
    if (window.queue.field(entry, `${prefix}kind`) === undefined) return null;
    const own = entry.fields.filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]);
    return valueOf({ ...entry, fields: own }, course);
  }).filter(Boolean);

  const textOf = (entry) => {
    const value = valueOf(entry, true) ?? { kind: window.queue.field(entry, "kind") };
    const { kind, seat, target, moment, count } = value;
    const [, phase] = moment ?? [];
    if (kind === "turn") {
      if (seat) return fill(phase === 20 || phase === 30 ? words.of_minute : words.of_last_words, { seat });
      if (phase === 31) return words.of_vote;
      return moment[0] ? words.of_night : words.of_beginning;
    }
    if (kind === "foul") {
      const of = { warning: "of_warning", foul: "of_foul", disqualifying: "of_removal", team_defeat: "of_defeat" };
      return fill(words[of[value.penalty]], { seat });
    }
    if (kind === "nomination") return fill(words.of_nomination, { seat: target });
    if (kind === "vote") return fill(window.queue.counted(words.of_votes, count), { count, seat: target });
    if (kind === "shot") return target ? fill(words.of_shot, { seat: target }) : words.of_miss;
    if (kind === "check") return fill(words.of_check, { seat: target });
    return words.kinds[kind] ?? kind;
  };

  // ---------------------------------------------------------------- names and moments

  const nameOf = (seat) => find(`#seat-${seat} .seat__open`)?.dataset.label ?? `№${seat}`;
  const namesOf = (seats) => seats.map(nameOf).join(", ");
  const plainNames = (seats) => seats.join(", ");

  const ballotWords = (number) => {
    const round = number % 10;
    return round < 2 ? words.ballots[round] : fill(words.ballots[2], { number: round });
  };

  const momentWords = (moment) => {
    const [day, phase, ballot] = moment;
    if (day === 0) return words.acquaintance;
    const part = fill(window.course.isNight(moment) ? words.night : words.day, { day });
    return `${part} · ${phase === 31 ? ballotWords(ballot) : words.phases[phase] ?? ""}`;
  };

  window.offline = {
    words, fill, make, find, valueOf, valuesOf, textOf, nameOf, namesOf, plainNames, ballotWords, momentWords,
  };
})();
