// A judge inside the page: looks for the control of an entry on the screen, presses it, waits for the board to change.
window.player = (() => {
  const LIMIT = 25_000; // ms
  const SEARCH = 15; // ms
  const find = (what) => document.querySelector(what);
  const until = async (what, words) => {
    const end = performance.now() + LIMIT;
    for (;;) {
      const found = window.queue?.state().ready && what();
      if (found) return found;
      if (performance.now() > end) throw new Error(`nothing came of ${words}; panel: ${find("#panel")?.outerHTML}`);
      await new Promise((done) => setTimeout(done, SEARCH));
    }
  };
  const numbered = (uuid) => find(`#panel input[name=uuid][value="${uuid}"]`);
  const press = async (button) => {
    const uuid = button.form.querySelector("input[name=uuid]").value;
    if (button.form.querySelector("input[name=moment]")?.value === "2.10.0.1") throw new Error("VICTIM " + button.outerHTML + document.getElementById("panel").outerHTML + JSON.stringify(window.queue.state()).slice(-900));
    button.click();
    await until(() => !numbered(uuid), `pressing ${button.outerHTML}`);
  };
  const formOf = (where, kind, moment) => [...document.querySelectorAll(where)].find((form) =>
    form.querySelector(`input[name=kind][value="${kind}"]`)
    && (!moment || form.querySelector("input[name=moment]")?.value === moment));
  const pad = (kind, moment) => formOf("#pad", kind, moment);

  // The next action, until `what` is there.
  const reach = async (what, words) => {
    for (;;) {
      const next = () => {
        const button = find("#next");
        const kind = button?.form?.querySelector("input[name=kind]")?.value;
        return kind === "turn" && !button.form.querySelector("[name^=first-]") ? button : null;
      };
      const found = await until(() => what() || next(), words);
      if (what()) return what();
      await press(found);
    }
  };
  const key = async (kind, value, moment) => {
    const form = await reach(() => pad(kind, moment), `${kind} at ${moment}`);
    await press(form.querySelector(`button[value="${value}"]`));
  };
  const step = (kind, code, where) => {
    const link = [...document.querySelectorAll(".others a")].find(
      (item) => item.dataset.step === code || item.getAttribute("href").endsWith(`step=${code}`),
    );
    return where() ? null : link;
  };
  const reachStep = async (kind, code, where) => {
    await reach(() => where() || step(kind, code, where), code);
    const link = step(kind, code, where);
    if (link) {
      link.click();
      await until(where, `the step ${code}`);
    }
    return where();
  };

  const acts = {
    turn: async ({ moment }) => {
      const form = await reach(() => formOf("#panel form", "turn", moment), `the turn ${moment}`);
      await press(form.querySelector("button"));
    },
    nomination: ({ target, moment }) => key("nomination", target, moment),
    foul: async ({ seat, moment }) => {
      // A foul in a vote is given whichever candidate it has come to.
      const part = moment.split(".")[1] === "31" ? moment.replace(/\d+$/, "") : moment;
      const form = () => [...document.querySelectorAll("#seat-sheet form")].find((one) =>
        one.querySelector('input[name=kind][value="foul"]') && one.querySelector("input[name=moment]").value.startsWith(part));
      await reach(form, `a foul at ${moment}`);
      find(`#seat-${seat} a.seat__open`).click();
      const sheet = () => find("#seat-sheet[open]");
      await until(sheet, "opening the seat");
      form().querySelector("button").click();
      await until(() => !sheet(), "the foul");
    },
    vote: async ({ count, moment }) => {
      const form = await reach(() => pad("vote", moment), `the vote ${moment}`);
      await press(form.querySelector(`button[value="${count}"]`));
    },
    raise_all: ({ count }) => key("raise_all", count),
    shot: ({ target, moment }) => key("shot", target || "miss", moment),
    check: async ({ by, target }) => {
      const where = () => formOf("#pad", "check") && find(`#pad input[name=by][value="${by}"]`)?.form;
      const form = await reachStep("check", by, where);
      await press(form.querySelector(`button[value="${target}"]`));
    },
    best_move: async ({ seats }) => {
      const form = await reachStep("best_move", "best_move", () => find("#pad[data-many='3']"));
      seats.forEach((seat) => form.querySelector(`.key__tick[value="${seat}"]`).click());
      const uuid = form.querySelector("input[name=uuid]").value;
      if (numbered(uuid) && find("#next").form === form) find("#next").click(); // the third may have sent them
      await until(() => !numbered(uuid), "the best move");
    },
  };
  return { write: (entry) => acts[entry.kind](entry) };
})();
