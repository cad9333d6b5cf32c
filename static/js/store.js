// What this device keeps: entries that are not written yet, and the last board seen. Whose and of which game they are
// is part of their key, so that nobody else's login and no other game ever sees them.
(() => {
  "use strict";
  const KEEP_TRACES = 24 * 3600 * 1000; // ms

  const promised = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

  const opened = new Promise((done, failed) => {
    const request = indexedDB.open("board", 1);
    request.onupgradeneeded = () => {
      const entries = request.result.createObjectStore("entries", { keyPath: "uuid" });
      entries.createIndex("whose", "whose");
      request.result.createObjectStore("boards", { keyPath: "whose" });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
    request.onblocked = () => failed(new Error("blocked"));
  });

  // Where a browser keeps nothing, entries at least wait as long as the page is open.
  const memory = { entries: new Map(), boards: new Map() };
  let kept = true;

  const run = async (name, mode, act, without) => {
    if (kept) {
      try {
        const transaction = (await opened).transaction(name, mode);
        const over = new Promise((done, failed) => {
          transaction.oncomplete = done;
          transaction.onabort = () => failed(transaction.error);
        });
        const result = await promised(act(transaction.objectStore(name)));
        if (mode === "readwrite") await over;
        return result;
      } catch {
        kept = false;
      }
    }
    return without();
  };

  let last = 0; // `n` orders the entries as they were made
  // The database answers a moment later, and a page may be gone by then. So a new entry is first noted where notes are
  // taken at once, and the note is torn up when the entry is in the database.
  const NOTES = "queue.notes";
  const notes = () => {
    try {
      return JSON.parse(localStorage.getItem(NOTES)) ?? [];
    } catch {
      return [];
    }
  };
  const setNotes = (found) => {
    try {
      if (found.length) localStorage.setItem(NOTES, JSON.stringify(found));
      else localStorage.removeItem(NOTES);
    } catch {
      // Without notes only a reload within the same moment loses the entry.
    }
  };
  const note = (entry) => {
    last = Math.max(last + 1, Date.now());
    entry.n ??= last;
    setNotes([...notes().filter((other) => other.uuid !== entry.uuid), entry]);
  };
  const tearUp = (entry) => setNotes(notes().filter((other) => other.uuid !== entry.uuid));

  const put = async (entry) => {
    last = Math.max(last + 1, Date.now());
    entry.n ??= last;
    await run("entries", "readwrite", (store) => store.put(entry), () => memory.entries.set(entry.uuid, entry));
    if (kept) tearUp(entry);
    return entry;
  };
  const drop = (entry) => run(
    "entries", "readwrite", (store) => store.delete(entry.uuid), () => memory.entries.delete(entry.uuid),
  );
  const of = async (whose) => {
    const found = await run(
      "entries", "readonly", (store) => store.index("whose").getAll(whose),
      () => [...memory.entries.values()].filter((entry) => entry.whose === whose),
    );
    for (const noted of notes().filter((entry) => entry.whose === whose)) {
      if (found.some((entry) => entry.uuid === noted.uuid)) tearUp(noted);
      else found.push(await put(noted));
    }
    const old = found.filter((entry) => entry.status === "gone" && Date.now() - Date.parse(entry.at) > KEEP_TRACES);
    old.forEach(drop);
    return found.filter((entry) => !old.includes(entry)).sort((one, other) => one.n - other.n);
  };
  const ofUser = async (user) => {
    const found = await run("entries", "readonly", (store) => store.getAll(), () => [...memory.entries.values()]);
    const noted = notes().filter((entry) => !found.some((other) => other.uuid === entry.uuid));
    return [...found, ...noted].filter((entry) => entry.user === user && entry.status !== "gone");
  };

  const keepBoard = (board) => run(
    "boards", "readwrite", (store) => store.put(board), () => memory.boards.set(board.whose, board),
  );
  const board = (whose) => run("boards", "readonly", (store) => store.get(whose), () => memory.boards.get(whose));
  const wipeBoards = () => run("boards", "readwrite", (store) => store.clear(), () => memory.boards.clear());

  window.store = { note, put, drop, of, ofUser, keepBoard, board, wipeBoards, isKept: () => kept };
})();
