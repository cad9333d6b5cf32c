// Every tap is kept on this device first and then sent. While the network answers, a tap is one request, as if this
// file were not there. Otherwise entries wait in order, are drawn as waiting, and go as one queue when it is back.
(() => {
  "use strict";
  const root = document.getElementById("offline");
  if (!root) return;
  const PATIENCE = 600; // ms after which a tap that is not answered is drawn as waiting
  const TIMEOUT = 10_000; // ms for an answer to a tap
  const QUICK = 4000; // ms for who is logged in
  const PAUSES = [700, 1000, 1500, 2500, 4000]; // ms between tries
  const MOST = 200; // entries of one request
  const { user, game } = root.dataset;
  const address = root.dataset;
  const whose = `${user}/${game}`;
  const words = JSON.parse(root.dataset.words);
  const plural = new Intl.PluralRules(document.documentElement.lang);
  const counted = (forms, n) => forms[{ one: 0, few: 1 }[plural.select(n)] ?? 2];

  let list = []; // of this person and game, in order; `status` is empty while an entry waits to be sent
  let ready = false; // what was kept on this device has been read
  let flying = false;
  let trouble = ""; // slow, network, login, user, denied
  let tries = 0;
  let timer = 0;
  const fresh = new WeakSet(); // entries that no request has carried yet
  let pristine = null; // the board as the server drew it last

  const board = () => document.getElementById("board");
  const waiting = () => list.filter((entry) => !entry.status);
  const unsaved = () => list.filter((entry) => ["asked", "refused", "held", "invalid"].includes(entry.status));
  const newNumber = () => {
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  const cookie = () => decodeURIComponent(document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1] ?? "");
  const field = (entry, name) => entry.fields.find(([key]) => key === name)?.[1];

  const say = (text) => {
    const place = document.getElementById("said");
    if (place) place.textContent = text;
  };

  // What can't be done now, in the place of what the rules say.
  const tell = (text) => {
    const rule = board()?.querySelector(".rule");
    if (!rule) return;
    rule.className = "rule rule--refused";
    rule.innerHTML = '<p class="rule__words"><b class="rule__mark" aria-hidden="true">✕</b><span></span></p>';
    rule.querySelector("span").textContent = text;
    say(text);
  };

  // ---------------------------------------------------------------- the board that the server drew

  const learn = () => {
    const now = board();
    if (!now?.dataset.revision || now === pristine?.shown) return;
    const copy = now.cloneNode(true);
    pristine = { shown: now, copy, revision: Number(now.dataset.revision), mark: now.dataset.mark };
    const known = (now.dataset.known ?? "").split(" ");
    waiting().filter((entry) => entry.tried && !entry.undone && known.includes(entry.uuid.slice(0, 8))).forEach(settle);
  };

  const swap = (html) => {
    const place = board().querySelector(".side__log")?.scrollTop ?? 0;
    htmx.swap("#board", html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
    const log = board()?.querySelector(".side__log");
    if (log) log.scrollTop = place;
    learn();
    keep();
  };

  // What has been answered is forgotten only when the board that holds it is kept: a page that comes back without a
  // network must not look as if it had never been written.
  let stored = -1;

  const keep = async () => {
    if (!pristine) return;
    const { copy, revision } = pristine;
    copy.querySelectorAll("dialog[open]").forEach((dialog) => dialog.removeAttribute("open"));
    await store.keepBoard({ whose, user, html: copy.outerHTML, revision });
    stored = Math.max(stored, revision);
    tidy();
  };

  // ---------------------------------------------------------------- what became of an entry

  const settle = (entry, by = pristine.revision) => {
    Object.assign(entry, { status: "done", by });
    store.put(entry);
  };
  const unseen = () => list.filter((entry) => entry.status === "done" && entry.by > pristine.revision);

  const tidy = () => {
    if (waiting().length) return;
    const done = list.filter((entry) => entry.status === "done" && entry.by <= stored);
    list = list.filter((entry) => !done.includes(entry));
    done.forEach((entry) => store.drop(entry));
  };

  const discard = (entry) => {
    entry.status = "gone";
    store.put(entry);
    show();
  };

  const takeBack = (uuid) => {
    const entry = list.find((other) => other.uuid === uuid);
    if (!entry) return;
    if (entry.tried && !entry.status) {
      entry.undone = true; // it may have arrived: the server strikes it out
      store.put(entry);
      show();
      flush();
    } else {
      discard(entry);
    }
  };

  // ---------------------------------------------------------------- sending

  const fetched = async (url, options, limit) => fetch(url, {
    credentials: "same-origin", cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(limit), ...options,
  });

  class Trouble extends Error {}

  // One tap, as its form would have been sent.
  const post = async (fields) => {
    const body = new URLSearchParams(fields);
    const response = await fetched(address.entries, {
      method: "POST", body, headers: { "HX-Request": "true", "X-CSRFToken": cookie() },
    }, TIMEOUT);
    if (response.status === 401 || response.type === "opaqueredirect") throw new Trouble("login");
    if (response.status === 403 || response.status === 404) throw new Trouble("retry");
    if (response.status >= 500) throw new Trouble("network");
    return { status: response.status, html: await response.text() };
  };

  const asks = (html, uuid) => {
    const mould = document.createElement("template");
    mould.innerHTML = html;
    const dialog = mould.content.querySelector(".drawer--question");
    const same = [...(dialog?.querySelectorAll("input[name=uuid]") ?? [])].some((input) => input.value === uuid);
    return {
      dialog: same ? dialog.querySelector(".drawer__title").textContent : "",
      lines: same ? [...dialog.querySelectorAll(".drawer__item")].map((item) => item.textContent) : [],
      rule: mould.content.querySelector(".rule__words")?.textContent.trim() ?? "",
      board: !!mould.content.querySelector("#board"),
      revision: Number(mould.content.querySelector("#board")?.dataset.revision ?? 0),
    };
  };

  const sendOne = async (entry) => {
    const fields = entry.fields.filter(([name]) => !["revision", "uuid", "device_time", "csrfmiddlewaretoken"].includes(name));
    fields.push(["uuid", entry.uuid], ["device_time", entry.at]);
    fields.push(["revision", entry.force ? pristine.revision : entry.seen]);
    const { status, html } = await post(fields);
    const found = asks(html, entry.uuid);
    const others = waiting().filter((other) => other !== entry).length > 0;
    if (found.dialog) {
      Object.assign(entry, { status: "asked", text: found.dialog, words: found.lines.join(" · "), force: true });
      await store.put(entry);
    } else if (status === 200) {
      settle(entry, found.revision);
    } else if (status === 422 && !others && found.board && !entry.force) {
      settle(entry); // told at once on the board, with its reason
    } else {
      const text = entry.text || window.offline.textOf(entry);
      Object.assign(entry, { status: found.board ? "refused" : "invalid", text, words: found.rule || words.refused, force: true });
      await store.put(entry);
    }
    if (found.board) swap(html);
  };

  const mark = (sent) => Promise.all(sent.filter((one) => !one.tried).map((entry) => {
    entry.tried = true;
    return store.put(entry);
  }));

  const sendQueue = async (sent) => {
    const who = await fetched(address.live, {}, QUICK);
    if (who.type === "opaqueredirect") throw new Trouble("login");
    if (who.status === 403 || who.status === 404) throw new Trouble("denied");
    if (!who.ok) throw new Trouble("network");
    const live = await who.json();
    if (live.user === null) throw new Trouble("login");
    if (String(live.user) !== user) throw new Trouble("user");
    await mark(sent); // from here on they may arrive
    const body = JSON.stringify({
      user: Number(user),
      game,
      mine: list.filter((entry) => entry.status === "done").map((entry) => entry.uuid).slice(-MOST),
      entries: sent.map(({ uuid, at, seen, fields, undone }) => ({ uuid, device_time: at, seen, fields, undone })),
    });
    const response = await fetched(address.queue, {
      method: "POST", body,
      headers: { "Content-Type": "application/json", "HX-Request": "true", "X-CSRFToken": live.token },
    }, 2 * TIMEOUT);
    if (response.status === 401) throw new Trouble("login");
    if (response.status === 409) throw new Trouble("user");
    if (response.status === 403 || response.status === 404) throw new Trouble("denied");
    if (!response.ok) throw new Trouble("network");
    const { answers, board: html, revision } = await response.json();
    for (const answer of answers) {
      const entry = list.find((other) => other.uuid === answer.uuid);
      if (!entry) continue;
      if (["written", "known", "undone"].includes(answer.kind)) {
        Object.assign(entry, { status: "done", by: revision });
      } else {
        Object.assign(entry, { status: answer.kind, text: answer.text, words: answer.words, force: true });
      }
      store.put(entry);
    }
    swap(html);
  };

  const flush = async () => {
    clearTimeout(timer);
    if (!ready || flying || !waiting().length) return;
    flying = true;
    const first = waiting()[0];
    const single = first.force || (waiting().length === 1 && fresh.has(first) && !first.undone);
    fresh.delete(first);
    const patience = setTimeout(() => {
      if (!trouble) trouble = "slow";
      show();
    }, PATIENCE);
    try {
      const sent = single ? [first] : waiting().filter((entry) => !entry.force).slice(0, MOST);
      if (single) await mark(sent);
      if (single) await sendOne(first);
      else await sendQueue(sent);
      trouble = "";
      tries = 0;
    } catch (error) {
      const told = error instanceof Trouble ? error.message : "network";
      if (told === "retry") {
        if (first.force && tries > 2) trouble = "denied";
        first.force = false; // by the queue's way, with a fresh token
      } else {
        trouble = told;
      }
      tries += 1;
    } finally {
      clearTimeout(patience);
      flying = false;
    }
    tidy();
    show();
    if (!waiting().length) return;
    const pause = !trouble ? 0 : ["login", "user", "denied"].includes(trouble) ? 5000 : PAUSES[Math.min(tries, PAUSES.length) - 1];
    timer = setTimeout(flush, pause);
  };

  // ---------------------------------------------------------------- a tap

  const fieldsOf = (form, submitter) => {
    const data = new FormData(form);
    if (submitter?.name) data.append(submitter.name, submitter.value);
    return [...data].map(([name, value]) => [name, String(value)]).filter(([name]) => name !== "csrfmiddlewaretoken");
  };

  const ask = async (fields) => {
    if (waiting().length || flying) {
      tell(fields.some(([name]) => name === "ask") ? words.needs_hold : words.needs_network);
      return;
    }
    flying = true;
    try {
      const { html } = await post(fields);
      trouble = "";
      swap(html);
    } catch (error) {
      if (error instanceof Trouble && error.message === "login") trouble = "login";
      else tell(fields.some(([name]) => name === "ask") ? words.needs_hold : words.needs_network);
    } finally {
      flying = false;
      show();
    }
  };

  const tap = async (form, submitter) => {
    const fields = fieldsOf(form, submitter);
    const has = (name) => fields.find(([key]) => key === name)?.[1];
    delete form.dataset.held;
    form.querySelectorAll("input[name=sure][data-held]").forEach((input) => input.remove());
    if (!has("kind") || (has("ask") && !has("sure") && !has("confirmed"))) {
      await ask(fields);
      return;
    }
    // Without a network a slip would be refused later, and with it all that was played on it.
    if (submitter?.getAttribute("aria-disabled") && submitter.closest(".panel--pending")) {
      tell(words.cannot);
      return;
    }
    if (has("kind") === "best_move" && fields.filter(([name]) => name === "seats").length !== 3) {
      tell(words.needs_three);
      return;
    }
    const of = has("of");
    if (of?.startsWith("uuid:")) {
      fields.find(([name]) => name === "of").splice(0, 2, "of_uuid", of.slice(5));
    }
    const uuid = has("uuid");
    const before = list.find((entry) => entry.uuid === uuid);
    if (before && !["asked", "refused", "held", "invalid"].includes(before.status)) return; // a second tap on the same
    const entry = before ?? { whose, user, game, uuid, tried: false, undone: false };
    Object.assign(entry, {
      fields, at: new Date().toISOString(), seen: Number(has("revision") ?? pristine.revision), status: "",
      force: !!before, text: before?.text ?? "", words: "",
    });
    if (!before) list.push(entry);
    // Sent at once, it is marked as sent in the same breath: a reload can't tell whether it has arrived.
    if (!flying && waiting().length === 1 && !trouble) {
      entry.tried = true;
      fresh.add(entry);
    }
    store.note(entry);
    show();
    await store.put(entry);
    flush();
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.getAttribute("action") !== address.entries || !form.closest("#board")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (doubled) return;
    if (ready) tap(form, event.submitter);
    else early.push([form, event.submitter]);
  }, true);

  // A page from before may show what is long past, until it has been read what was written since: what is pressed
  // sooner waits for that, and counts if the board it was pressed on is still the one that is shown.
  const early = [];
  const catchUp = () => early.splice(0).forEach(([form, submitter]) => form.isConnected && tap(form, submitter));

  // The second half of a double tap is no tap on what has been drawn under the finger meanwhile.
  let doubled = false;
  document.addEventListener("click", (event) => {
    doubled = event.detail > 1 && waiting().length > 0 && !!event.target.closest("#panel");
  }, true);
  document.addEventListener("pointerdown", () => {
    document.querySelectorAll("#board form[data-held]").forEach((form) => delete form.dataset.held);
  }, true);

  document.addEventListener("click", (event) => {
    const target = event.target;
    const back = target.closest("[data-take-back]");
    const write = target.closest("[data-write-now]");
    const drop = target.closest("[data-discard]");
    const closes = target.closest(".drawer--question [data-close]");
    if (back) {
      event.preventDefault();
      takeBack(back.dataset.takeBack);
    } else if (write) {
      const entry = list.find((other) => other.uuid === write.dataset.writeNow);
      Object.assign(entry, { status: "", force: true });
      store.put(entry);
      show();
      flush();
    } else if (drop) {
      discard(list.find((other) => other.uuid === drop.dataset.discard));
    } else if (target.closest("[data-tray]")) {
      event.preventDefault();
      window.offline.tray(unsaved(), true);
    } else if (closes) {
      const uuid = closes.closest(".drawer--question").querySelector("input[name=uuid]")?.value;
      const entry = list.find((other) => other.uuid === uuid && other.status === "asked");
      if (entry) discard(entry);
    }
  }, true);

  // ---------------------------------------------------------------- what is seen of it

  const show = () => {
    learn();
    window.offline.draw({ list, trouble, pristine, waiting: waiting(), unseen: unseen(), unsaved: unsaved() });
  };

  document.addEventListener("htmx:afterSettle", () => {
    if (board() !== pristine?.shown) {
      learn();
      keep();
      show();
    }
  });
  window.addEventListener("online", flush);
  document.addEventListener("visibilitychange", () => !document.hidden && flush());
  window.addEventListener("pageshow", (event) => event.persisted && flush());

  window.queue = {
    words, counted, address, whose, newNumber, field, flush, swap, show, say, tell, cookie, fetched,
    isBusy: () => flying || waiting().length > 0,
    mark: () => pristine?.mark,
    state: () => ({ ready, list, flying, trouble, tries }),
    trouble: (name) => {
      if (trouble === name || waiting().length) return;
      trouble = name;
      show();
    },
  };

  const begin = async () => {
    learn();
    board().inert = true;
    list = await store.of(whose);
    const last = await store.board(whose);
    if (last && last.revision > pristine.revision) swap(last.html);
    else keep();
    learn();
    const known = (board().dataset.known ?? "").split(" ");
    waiting().filter((entry) => entry.tried && !entry.undone && known.includes(entry.uuid.slice(0, 8))).forEach(settle);
    tidy();
    ready = true;
    board().inert = false;
    show();
    catchUp();
    flush();
  };
  window.addEventListener("DOMContentLoaded", begin);
})();
