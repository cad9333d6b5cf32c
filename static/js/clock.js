// The running time. What is stored is when it is up, never how much of it is left: a reload, a screen that slept and
// a second device all count down to the same moment of the server's clock, whatever this device's own clock says.
(() => {
  "use strict";
  const WARNING = 10_000; // ms before the end
  const LATE = 3000; // ms after which the end is no longer told
  const ASK = 2000; // ms between two questions to the server, where the board's pulse is not heard
  const PATIENCE = 5000; // ms for an answer
  const SLOW = 700; // ms that an entry may take to be written before its time is set back to the tap
  const DRIFT = 1e-4; // by which two good clocks may run apart
  const LEAP = 500; // ms
  const find = (what) => document.querySelector(what);

  const remember = (key, value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Without storage the time runs all the same; only what was set without a network is lost by a reload.
    }
  };
  const remembered = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  };

  // ---------------------------------------------------------------- the server's clock

  // Counted from performance.now(), which nobody can set. `base` is the server's time at its zero; `doubt` how wrong
  // that may be: half the time that the question took, and more the longer ago it was asked.
  let base = null;
  let doubt = Infinity;
  let doubted = 0;
  let seen = remembered("clock.seen") ?? 0; // the latest time that the server ever told this browser

  const serverNow = () => base + performance.now();

  const learn = (told, from, to) => {
    const now = performance.now();
    const fresh = (to - from) / 2;
    if (fresh > doubt + (now - doubted) * DRIFT) return;
    base = told - (from + to) / 2;
    doubt = fresh;
    doubted = now;
    seen = Math.max(seen, told);
    remember("clock.seen", seen);
    remember("clock.skew", Date.now() - serverNow());
  };

  const unlearn = () => {
    doubt = Infinity;
  };

  // A page that was kept for the time without a network tells an old time; then what this device knew last holds.
  const learnFromPage = () => {
    const told = Number(find("[data-timer]")?.dataset.now ?? 0);
    const loaded = performance.getEntriesByType("navigation")[0];
    const skew = remembered("clock.skew");
    if (told > seen) {
      learn(told, loaded?.requestStart ?? 0, loaded?.responseEnd || performance.now());
    } else if (skew !== null) {
      base = Date.now() - skew - performance.now();
    } else {
      base = (told || Date.now()) - performance.now();
    }
  };

  // An answer drawn into the page tells the time as well; it is only believed until the server has been asked.
  const learnFromAnswer = (told) => {
    if (doubt === Infinity && told > seen) base = told - performance.now();
  };

  // ---------------------------------------------------------------- what runs

  // The state of the time on the screen: {entry, deadline | left, changed, sent}, times in ms of the server's clock.
  let state = null;
  let heard = null; // what the board's pulse told last, perhaps of an entry that is not drawn yet
  let before = null; // what was left at the last look, for telling the warning and the end once

  const timer = () => find("[data-timer]");
  const number = (text) => (text === undefined || text === "" || text === "None" ? null : Number(text));
  const stored = () => `clock.${timer()?.dataset.clock}`;
  const left = () => (state.left === null ? state.deadline - serverNow() : state.left);

  const taken = (other) => {
    if (!other || !state || other.entry !== state.entry || other.changed <= state.changed) return;
    state = { ...other, sent: true };
    draw();
  };

  const begin = () => {
    const shown = timer();
    if (!shown) {
      state = null;
      return;
    }
    const { entry, tap = entry, seconds, deadline, left: rest, changed, now } = shown.dataset;
    learnFromAnswer(Number(now));
    const page = { entry, deadline: number(deadline), left: number(rest), changed: Number(changed), sent: true };
    const mine = remembered(stored());
    // What was set before the entry was written was set for the tap.
    const known = [state, mine, heard].filter((each) => [entry, tap].includes(each?.entry) && each.changed > page.changed);
    if (![entry, tap].includes(state?.entry)) before = null;
    const best = known.sort((one, other) => other.changed - one.changed)[0] ?? page;
    state = { ...best, entry, sent: best.sent && best.entry === entry };
    const tapped = tappedAt(tap);
    if (!state.changed && tapped && page.deadline - Number(seconds) * 1000 - tapped > SLOW) {
      // The word was given at the tap, however long the network took.
      change({ deadline: tapped + Number(seconds) * 1000, left: null }, tapped);
    }
    shown.querySelectorAll("[data-timer-add]").forEach((button) => {
      button.hidden = shown.dataset.sets !== "1";
    });
    draw();
  };

  // ---------------------------------------------------------------- changing it

  const change = (to, at = serverNow()) => {
    state = { ...state, ...to, changed: Math.round(at), sent: false };
    state.deadline = state.deadline === null ? null : Math.round(state.deadline);
    state.left = state.left === null ? null : Math.round(state.left);
    remember(stored(), state);
    draw();
    look();
  };

  const add = (ms) => change(state.left === null ? { deadline: state.deadline + ms } : { left: state.left + ms });
  const pause = () => change(state.left === null ? { left: left(), deadline: null } : { left: null, deadline: serverNow() + state.left });

  let sending = false;

  const send = async () => {
    const address = timer()?.dataset.clock;
    if (!address || sending || !state || state.sent) return null;
    sending = true;
    const { entry, deadline, left: rest, changed } = state;
    const token = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1] ?? "";
    const body = new URLSearchParams({ entry, deadline: deadline ?? "", left: rest ?? "", changed });
    const answer = await ask(address, { method: "POST", body, headers: { "X-CSRFToken": decodeURIComponent(token) } });
    sending = false;
    if (state?.entry !== entry || state.changed !== changed) return send();
    if (answer) {
      // An entry that still waits for the network is not known there yet: its time is told again later.
      state.sent = answer.clock?.entry === entry;
      remember(stored(), state);
    }
    return answer;
  };

  // ---------------------------------------------------------------- the server, asked

  const ask = async (address, options = {}) => {
    const from = performance.now();
    try {
      const response = await fetch(address, {
        ...options, cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE),
      });
      const to = performance.now();
      if (!response.ok) return null;
      const told = await response.json();
      learn(told.now, from, to);
      return told;
    } catch {
      return null;
    }
  };

  let asked = -Infinity;
  let asking = false;

  const look = async () => {
    const address = timer()?.dataset.clock;
    if (!address || asking || document.hidden) return;
    asking = true;
    asked = performance.now();
    const answer = state && !state.sent ? await send() : await ask(address);
    asking = false;
    if (!answer) return;
    taken(answer.clock);
    document.dispatchEvent(new CustomEvent("clock:revision", { detail: answer.revision }));
  };

  // The pulse of the board brings the clock along: while it is heard, nothing is asked but what has to be sent.
  window.clock = {
    heard: (told, now, from, to) => {
      learn(now, from, to);
      if (told) {
        heard = { ...told, sent: true };
        taken(told);
      }
      if (!state || state.sent) asked = performance.now();
    },
  };

  // ---------------------------------------------------------------- when a tap was made

  const TAPS = "clock.taps";
  const tappedAt = (entry) => remembered(TAPS)?.[entry] ?? null;

  document.addEventListener("submit", (event) => {
    const uuid = event.target.querySelector("input[name=uuid]")?.value;
    if (!uuid) return;
    const taps = Object.entries(remembered(TAPS) ?? {}).filter(([entry]) => entry !== uuid).slice(-19);
    remember(TAPS, Object.fromEntries([...taps, [uuid, Math.round(serverNow())]]));
  }, true);

  // ---------------------------------------------------------------- the screen

  const words = (ms) => {
    const seconds = Math.abs(Math.ceil(ms / 1000));
    return `${ms <= -1000 ? "+" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  const draw = () => {
    const shown = timer();
    if (!shown || !state) return;
    const ms = left();
    const paused = state.left !== null;
    const face = shown.querySelector("[data-timer-left]");
    const text = words(ms);
    if (face.textContent !== text) face.textContent = text;
    shown.dataset.ms = Math.round(ms);
    shown.classList.toggle("timer--paused", paused);
    shown.classList.toggle("timer--ending", ms <= WARNING && ms > 0);
    shown.classList.toggle("timer--over", ms <= 0);
    shown.classList.toggle("timer--mute", isMute());
    const button = shown.querySelector("[data-timer-pause]");
    if (button && button.getAttribute("aria-pressed") !== String(paused)) button.setAttribute("aria-pressed", paused);
    if (before !== null && !paused) {
      if (before > WARNING && ms <= WARNING && ms > 0) tell("warning", shown.dataset.ending);
      if (before > 0 && ms <= 0 && ms > -LATE) tell("end", shown.dataset.over);
    }
    before = ms;
  };

  // ---------------------------------------------------------------- sound and vibration

  const isMute = () => remembered("clock.mute") === true;
  const TONES = { warning: [[0, 880]], end: [[0, 660], [0.3, 660], [0.6, 660]] }; // s, Hz
  const SHAKES = { warning: 120, end: [250, 120, 250] }; // ms
  let sound = null;

  // Browsers let a page make a sound only after somebody has touched it.
  const unlock = () => {
    const Sound = window.AudioContext ?? window.webkitAudioContext;
    if (!Sound) return;
    sound ??= new Sound();
    if (sound.state === "suspended") sound.resume().catch(() => {});
  };

  const tone = (at, hertz) => {
    const source = sound.createOscillator();
    const gain = sound.createGain();
    source.frequency.value = hertz;
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(0.5, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
    source.connect(gain).connect(sound.destination);
    source.start(at);
    source.stop(at + 0.22);
  };

  const tell = (what, spoken) => {
    const said = document.getElementById("said");
    if (said && spoken) said.textContent = spoken;
    document.dispatchEvent(new CustomEvent("clock:told", { detail: what }));
    if (isMute()) return;
    navigator.vibrate?.(SHAKES[what]);
    if (sound?.state === "running") TONES[what].forEach(([after, hertz]) => tone(sound.currentTime + after, hertz));
  };

  const showMute = () => {
    document.querySelectorAll("[data-mute]").forEach((button) => {
      button.hidden = false;
      button.setAttribute("aria-pressed", String(!isMute()));
      const place = button.querySelector("[data-mute-words]");
      if (place) place.textContent = isMute() ? button.dataset.off : button.dataset.on;
    });
  };

  const mute = () => {
    remember("clock.mute", !isMute());
    showMute();
    draw();
    const said = document.getElementById("said");
    const words = find("[data-mute-words]");
    if (said && words) said.textContent = words.textContent;
  };

  // ---------------------------------------------------------------- taps, keys, sleep

  const sets = () => state !== null && timer()?.dataset.sets === "1";

  document.addEventListener("click", (event) => {
    const add5 = event.target.closest("[data-timer-add]");
    if (add5) {
      if (sets()) add(Number(add5.dataset.timerAdd) * 1000);
    } else if (event.target.closest("[data-timer-pause]")) {
      if (sets()) pause();
    } else if (event.target.closest("[data-mute]")) {
      mute();
    }
  });
  document.addEventListener("clock:pause", () => sets() && pause());
  document.addEventListener("clock:add", (event) => sets() && add(event.detail));
  document.addEventListener("clock:mute", mute);
  ["pointerdown", "keydown"].forEach((name) => document.addEventListener(name, unlock, { capture: true, passive: true }));

  // A judge's screen stays lit while the board is open.
  const stayAwake = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
  };

  let slept = false;
  let lastDate = Date.now();
  let lastTick = performance.now();

  // performance.now() may stand still while the device sleeps; the date does not, but it can also be set by hand.
  // So after a sleep the date is believed until the server has been asked, and at any other leap only the server is.
  const watchForLeaps = () => {
    const date = Date.now();
    const tick = performance.now();
    const leap = date - lastDate - (tick - lastTick);
    if (Math.abs(leap) > LEAP) {
      if (slept && leap > 0) base += leap;
      unlearn();
      look();
    }
    if (!document.hidden) slept = false;
    lastDate = date;
    lastTick = tick;
  };

  const wake = () => {
    stayAwake();
    if (document.hidden) {
      slept = true;
      return;
    }
    watchForLeaps();
    unlearn();
    look();
    draw();
  };
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => event.persisted && wake());
  window.addEventListener("online", look);
  stayAwake();

  document.addEventListener("htmx:afterSettle", () => {
    begin();
    showMute();
    if (doubt === Infinity || (state && !state.sent)) look();
  });
  learnFromPage();
  begin();
  showMute();
  look();
  setInterval(() => {
    watchForLeaps();
    draw();
    if (performance.now() - asked > ASK) look();
  }, 100);
})();
