// The course of a game for a board without a network: what may come next, and how an entry moves it on.
// It knows the order of play and nothing of why; the server judges every entry when it arrives.
// A course is plain data, made by protocols/board/course.py; moments are [day, phase, ballot, step].
(() => {
  "use strict";
  const SETUP = 0, VICTIM_WORDS = 10, SPEECHES = 20, PRE_REVOTE = 30, BALLOT = 31, RAISE_ALL = 40, LAST_WORDS = 50;
  const NIGHT = 60, DON = 70, SHERIFF = 80, BEST_MOVE = 90;
  const RESTART = 10;
  const SEATS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

  const key = ([day, phase, ballot, step]) => {
    let group = phase;
    let round = ballot;
    if (phase === BALLOT) {
      group = PRE_REVOTE;
    } else if (phase === RAISE_ALL) {
      group = PRE_REVOTE;
      round = ballot - (ballot % RESTART) + RESTART - 1;
    }
    return [day, group, round, phase, step];
  };
  const compare = (one, other) => {
    const a = key(one);
    const b = key(other);
    const at = a.findIndex((part, index) => part !== b[index]);
    return at < 0 ? 0 : a[at] - b[at];
  };
  const isNight = ([day, phase]) => day === 0 || (phase >= NIGHT && phase <= BEST_MOVE);
  const isSame = (one, other) => compare(one, other) === 0;

  // ---------------------------------------------------------------- who is there, who speaks

  const lives = (course, seat) => course.living.includes(seat);
  const night = (course, number) => course.nights[number];
  const thirty = (course) => course.rules.thirty && [3, 4].includes(course.living.length);

  const nextLiving = (course, seat) => {
    for (let offset = 1; offset <= 10; offset += 1) {
      const found = (seat + offset - 1) % 10 + 1;
      if (lives(course, found)) return found;
    }
    return 0;
  };

  const openerOf = (course, number) => {
    if (course.day?.number === number) return course.day.opener || course.opener;
    if (number <= 1 || !course.rules.moves) return nextLiving(course, 0);
    return nextLiving(course, (course.day?.number === number - 1 && course.day.opener) || course.opener);
  };

  const speakingOrder = (course, day) => {
    const spoken = day.speeches.map(([, seat]) => seat);
    const first = day.opener || openerOf(course, day.number) || 1;
    let order;
    if (spoken.length) {
      const start = spoken[spoken.length - 1];
      order = SEATS.map((offset) => (start + offset - 1) % 10 + 1);
      order = order[0] === first ? [] : order.slice(0, order.indexOf(first));
    } else {
      order = SEATS.map((offset) => (first + offset - 2) % 10 + 1);
    }
    return order.filter((seat) => lives(course, seat) && !spoken.includes(seat));
  };

  const speakerOf = (course) => {
    const [, phase, , step] = course.moment;
    if (phase !== SPEECHES || !course.day) return 0;
    return course.day.speeches.find(([at]) => at === step)?.[1] ?? 0;
  };

  const newDay = (number, cancelled) => ({
    number, opener: 0, speeches: [], silent: [], short: [], nominations: [], ballots: [], tied: [], raiseDue: false,
    decision: null, cancelled, restored: false, restarts: 0, spoken: [], words: [],
  });

  const nobodyVotes = (course, day) =>
    (day.restored || day.cancelled ? day.cancelled : course.cancelled.includes(day.number));

  // ---------------------------------------------------------------- the vote

  const candidates = (course, day) => day.nominations.map(([, target]) => target).filter((seat) => lives(course, seat));
  const suffices = (course, day) =>
    candidates(course, day).length >= (day.number === 1 && course.rules.single ? 2 : 1);
  const voteIsDue = (course, day) => !day.decision && !nobodyVotes(course, day) && suffices(course, day);
  const isComplete = (ballot) => ballot.tallies.length === ballot.candidates.length;
  const remaining = (ballot) => ballot.living - ballot.tallies.reduce((sum, [, count]) => sum + count, 0);

  const currentBallot = (course, day) => {
    if (day.decision || day.raiseDue || nobodyVotes(course, day)) return null;
    const last = day.ballots[day.ballots.length - 1];
    const base = RESTART * day.restarts;
    if (last && !isComplete(last)) return { number: base + day.ballots.length - 1, ballot: last };
    const found = day.ballots.length ? day.tied : suffices(course, day) ? candidates(course, day) : [];
    if (!found.length) return null;
    const ballot = { candidates: [...found], living: course.living.length, tallies: [] };
    return { number: base + day.ballots.length, ballot };
  };

  const leave = (course, seats) => {
    course.living = course.living.filter((seat) => !seats.includes(seat));
    const black = course.living.filter((seat) => course.black.includes(seat)).length;
    if (course.black.length && (black === 0 || black * 2 >= course.living.length)) course.over = true;
  };

  const decide = (course, day, ballot) => {
    const most = Math.max(...ballot.tallies.map(([, count]) => count));
    const leaders = ballot.candidates.filter((seat) => ballot.tallies.some(([of, count]) => of === seat && count === most));
    if (leaders.length === 1) {
      day.decision = leaders;
      leave(course, leaders);
      return;
    }
    day.tied = leaders;
    if (day.ballots.length === 1 || leaders.length < ballot.candidates.length) return;
    const few = [3, 4].includes(ballot.living) && [2, 3].includes(leaders.length) && course.rules.noRaise;
    const three = leaders.length === 3 && ballot.living === 9 && !course.rules.three;
    if (few || leaders.length === ballot.living || three) day.decision = [];
    else day.raiseDue = true;
  };

  // ---------------------------------------------------------------- what may come next

  const speech = (course, day) => {
    const [seat] = speakingOrder(course, day);
    if (!seat) return [];
    const due = course.due.includes(seat);
    const silent = due && !thirty(course);
    const seconds = silent ? 0 : due ? course.rules.short : course.rules.speech;
    return [{ code: "speech", moment: [day.number, SPEECHES, 0, day.speeches.length + 1], seat, seconds, silent }];
  };

  const victimWords = (course, number) => {
    const before = night(course, number - 1);
    if (!before?.victim || before.words || course.removed.includes(before.victim)) return [];
    return [{ code: "victim_words", moment: [number, VICTIM_WORDS, 0, 1], seat: before.victim, seconds: course.rules.last }];
  };

  const morning = (course) => {
    const number = course.moment[0] + 1;
    const day = course.day?.number === number ? course.day : newDay(number, course.cancelled.includes(number));
    return [...victimWords(course, number), ...speech(course, day)];
  };

  // The night whose victim names the best move: the first, or the first without a miss; 0 before it.
  const bestMoveNight = (course) => {
    for (let number = 1; course.nights[number]?.shot; number += 1) {
      if (course.nights[number].victim) return number;
      if (!course.rules.miss) break;
    }
    return 0;
  };

  const isFresh = (course) => compare(course.moment, [(bestMoveNight(course) || 1) + 1, SPEECHES, 0, 0]) < 0;

  const bestMove = (course) => {
    const number = bestMoveNight(course);
    const victim = number ? course.nights[number].victim : 0;
    if (!victim || course.best || course.results || course.removed.includes(victim)) return [];
    if (course.rules.void && course.raised >= 2) return [];
    const due = [number, BEST_MOVE, 0, 0];
    return [{ code: "best_move", moment: compare(due, course.moment) > 0 ? due : [...course.moment], seat: victim }];
  };

  const nextToSpeak = (course, opening, seats, spoken) => {
    for (let index = 0; index < seats.length; index += 1) {
      const moment = [opening[0], opening[1], opening[2], index + 1];
      if (!spoken.includes(seats[index]) && compare(moment, course.moment) >= 0) return { moment, seat: seats[index] };
    }
    return null;
  };

  const vote = (course, day) => {
    if (day.raiseDue) {
      const count = Math.floor(course.living.length / 2) + 1;
      return [{ code: "raise_all", moment: [day.number, RAISE_ALL, RESTART * day.restarts, 0], seats: day.tied, count }];
    }
    const current = currentBallot(course, day);
    if (!current) return [];
    const { number, ballot } = current;
    const opening = [day.number, BALLOT, number, 0];
    const ahead = compare(course.moment, opening) < 0;
    if (ahead && number % RESTART === 0) return [{ code: "vote", moment: opening, seats: ballot.candidates }];
    const steps = [];
    if (ahead) {
      const spoken = day.spoken.filter(([before]) => before === number).map(([, seat]) => seat);
      const speaker = nextToSpeak(course, [day.number, PRE_REVOTE, number, 0], ballot.candidates, spoken);
      if (speaker) steps.push({ code: "pre_revote", ...speaker, seconds: course.rules.tied });
    }
    const seat = ballot.candidates.find((of) => !ballot.tallies.some(([done]) => done === of));
    const ordinal = ballot.candidates.indexOf(seat) + 1;
    steps.push({
      code: "tally", moment: [day.number, BALLOT, number, ordinal], seat, seats: ballot.candidates,
      count: remaining(ballot), last: ordinal === ballot.candidates.length, ballot,
    });
    return steps;
  };

  const byDay = (course, day) => {
    const steps = [];
    if ([VICTIM_WORDS, SPEECHES].includes(course.moment[1])) {
      if (isFresh(course)) steps.push(...bestMove(course));
      if (course.moment[1] === VICTIM_WORDS) steps.push(...victimWords(course, day.number));
      steps.push(...speech(course, day));
    }
    if (voteIsDue(course, day)) return [...steps, ...vote(course, day)];
    const leavers = day.decision || [];
    const silent = leavers.filter((seat) => course.removed.includes(seat));
    const speaker = nextToSpeak(course, [day.number, LAST_WORDS, 0, 0], leavers, [...day.words, ...silent]);
    if (speaker) {
      const seconds = leavers.length === 1 ? course.rules.last : course.rules.raised;
      steps.push({ code: "last_words", ...speaker, seconds });
    }
    return [...steps, { code: "night", moment: [day.number, NIGHT, 0, 0] }];
  };

  const checks = (course, number, seat) => {
    const now = night(course, number);
    return !seat || (now.living.includes(seat) && !now.removed.includes(seat));
  };

  const byNight = (course) => {
    const [number, phase] = course.moment;
    const now = night(course, number);
    if (!now || !now.shot) return [{ code: "shot", moment: [number, NIGHT, 0, 0] }];
    const steps = [];
    const seconds = course.rules.check;
    if (!now.don && phase <= DON && checks(course, number, course.don)) {
      steps.push({ code: "don", moment: [number, DON, 0, 0], seat: course.don, seconds });
    }
    if (!now.sheriff && phase <= SHERIFF && checks(course, number, course.sheriff)) {
      steps.push({ code: "sheriff", moment: [number, SHERIFF, 0, 0], seat: course.sheriff, seconds });
    }
    if (number === bestMoveNight(course)) steps.push(...bestMove(course));
    steps.push(...morning(course));
    return steps;
  };

  const steps = (course) => {
    const finish = { code: "finish", moment: course.moment };
    if (course.over) return isFresh(course) ? [...bestMove(course), finish] : [finish, ...bestMove(course)];
    if (course.results) return [finish];
    if (course.moment[1] === SETUP) {
      return [{ code: "begin", moment: [0, NIGHT, 0, 0], seconds: course.rules.night }, ...morning(course)];
    }
    let found;
    if (course.moment[0] === 0) found = morning(course);
    else if (isNight(course.moment)) found = byNight(course);
    else found = byDay(course, course.day);
    return found.length ? found : [finish];
  };

  // ---------------------------------------------------------------- an entry moves it on

  const useSilence = (course, day, seat) => {
    if (!course.due.includes(seat)) return;
    course.due = course.due.filter((other) => other !== seat);
    (thirty(course) ? day.short : day.silent).push(seat);
  };

  const advance = (course, target) => {
    const now = course.moment;
    if (compare(target, now) <= 0 || target[1] === SETUP || target[1] === 99) return;
    if (target[0] > 0 && (!course.day || course.day.number < target[0])) {
      course.opener = openerOf(course, target[0]);
      course.day = newDay(target[0], course.cancelled.includes(target[0]));
    }
    const day = course.day;
    if (day && day.number === target[0] && target[1] >= SPEECHES && !day.opener) day.opener = course.opener;
    if (day && now[0] === target[0] && now[1] <= SPEECHES && target[1] > SPEECHES && day.speeches.length) {
      speakingOrder(course, day).forEach((seat) => useSilence(course, day, seat));
    }
    course.moment = [...target];
    if (target[0] > 0 && isNight(target) && !night(course, target[0])) {
      course.nights[target[0]] = {
        shot: false, victim: 0, don: 0, sheriff: 0, words: false, living: [...course.living], removed: [],
      };
    }
  };

  const turn = (course, { moment, seat }) => {
    const day = course.day;
    if (!seat || !day || day.number !== moment[0]) return;
    if (moment[1] === SPEECHES) {
      if (day.speeches.length) {
        const order = speakingOrder(course, day);
        order.slice(0, Math.max(0, order.indexOf(seat))).forEach((passed) => useSilence(course, day, passed));
      } else {
        day.opener = seat;
      }
      day.speeches.push([moment[3], seat]);
      useSilence(course, day, seat);
    } else if (moment[1] === PRE_REVOTE) {
      day.spoken.push([moment[2], seat]);
    } else if (moment[1] === LAST_WORDS) {
      day.words.push(seat);
    } else if (moment[1] === VICTIM_WORDS && night(course, moment[0] - 1)) {
      night(course, moment[0] - 1).words = true;
    }
  };

  const remove = (course, seat) => {
    const [number] = course.moment;
    course.removed.push(seat);
    course.due = course.due.filter((other) => other !== seat);
    if (isNight(course.moment)) night(course, number)?.removed.push(seat);
    if (!lives(course, seat)) return;
    leave(course, [seat]);
    const day = course.day;
    if (isNight(course.moment)) course.cancelled.push(number + 1);
    else if (day?.decision) {
      if (course.rules.after) course.cancelled.push(number + 1);
    } else if (day && !nobodyVotes(course, day)) {
      day.cancelled = true;
      day.raiseDue = false;
    }
  };

  const foul = (course, { seat, penalty }) => {
    if (penalty === "team_defeat") course.over = true;
    if (!seat || penalty === "warning" || penalty === "team_defeat") return;
    if (penalty === "disqualifying") {
      remove(course, seat);
      return;
    }
    course.fouls[seat - 1] += 1;
    if (course.fouls[seat - 1] === 3 && lives(course, seat)) course.due.push(seat);
    if (course.fouls[seat - 1] === 4 && !course.removed.includes(seat)) remove(course, seat);
  };

  // The course after the entry, {kind, moment, seat, target, count, by, penalty, raised, roles}; the given one stays.
  const after = (before, entry) => {
    const course = structuredClone(before);
    const timeless = ["roles", "seat_correction", "extra_points", "speech_mark", "foul_clause", "strike"];
    if (!timeless.includes(entry.kind) && !course.over) advance(course, entry.moment);
    const day = course.day;
    if (entry.kind === "turn") {
      turn(course, entry);
    } else if (entry.kind === "foul") {
      foul(course, entry);
    } else if (entry.kind === "nomination") {
      day?.nominations.push([entry.seat || 0, entry.target]);
    } else if (entry.kind === "withdrawal" && day) {
      day.nominations = day.nominations.filter(([by]) => by !== entry.seat);
    } else if (entry.kind === "vote" && day) {
      const current = currentBallot(course, day);
      if (!current) return course;
      if (!current.ballot.tallies.length) day.ballots.push(current.ballot);
      current.ballot.tallies.push([entry.target, entry.count]);
      if (isComplete(current.ballot)) decide(course, day, current.ballot);
    } else if (entry.kind === "raise_all" && day) {
      const raised = entry.count == null ? entry.raised : entry.count * 2 > course.living.length;
      day.raiseDue = false;
      day.decision = raised ? [...day.tied] : [];
      if (raised) leave(course, day.tied);
      if (day.number === 1) course.raised = day.decision.length;
    } else if (entry.kind === "shot") {
      const now = night(course, entry.moment[0]);
      now.shot = true;
      if (entry.target && lives(course, entry.target)) {
        now.victim = entry.target;
        leave(course, [entry.target]);
      }
    } else if (entry.kind === "check") {
      night(course, entry.moment[0])[entry.by] = entry.target;
    } else if (entry.kind === "best_move") {
      course.best = true;
    } else if (entry.kind === "roles") {
      course.roles = true;
      course.black = SEATS.filter((seat) => "ЧД".includes(entry.roles[seat - 1]));
      course.don = entry.roles.indexOf("Д") + 1;
      course.sheriff = entry.roles.indexOf("Ш") + 1;
    } else if (entry.kind === "game_over") {
      course.over = true;
    }
    return course;
  };

  window.course = { after, steps, speakerOf, isNight, isSame, compare, currentBallot, lives };
})();
