// The board without a network: its files, and the last page of each board of whoever is logged in.
// FILES and VERSION stand before this, written by protocols/views/install.py.
const SHELL = `files-${VERSION}`;
const PAGES = "boards-";
const PATIENCE = 3500; // ms that a page may take before the one kept is shown
const KEPT = /^\/games\/(?:[0-9a-f-]{36}\/board\/)?$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("files-") && name !== SHELL);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

const wipe = async (but = "") => {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES) && name !== but);
  await Promise.all(names.map((name) => caches.delete(name)));
  return names.length;
};

// A page is kept under the person it was made for; those of anybody else go.
const keep = async (request, response) => {
  const text = await response.clone().text();
  const user = text.match(/<body[^>]* data-user="(\d+)"/)?.[1];
  if (!user) return;
  const name = PAGES + user;
  await wipe(name);
  const headers = new Headers({ "Content-Type": "text/html; charset=utf-8" });
  const policy = response.headers.get("Content-Security-Policy");
  if (policy) headers.set("Content-Security-Policy", policy);
  await (await caches.open(name)).put(new URL(request.url).pathname, new Response(text, { headers }));
};

const kept = async (request) => {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  for (const name of names) {
    const found = await (await caches.open(name)).match(new URL(request.url).pathname);
    if (found) return found;
  }
  return undefined;
};

const page = async (event) => {
  const { request } = event;
  const answer = fetch(request).then((response) => {
    if (response.ok && response.type === "basic" && !new URL(request.url).search) {
      event.waitUntil(keep(request, response.clone()));
    }
    return response;
  });
  event.waitUntil(answer.catch(() => {}));
  const before = await kept(request);
  if (!before) return answer;
  const late = new Promise((done) => setTimeout(done, PATIENCE, before));
  return Promise.race([answer.then((response) => (response.status >= 500 ? before : response), () => before), late]);
};

const file = async (request) => (await (await caches.open(SHELL)).match(request)) ?? fetch(request);

const wipeBoards = () => new Promise((done) => {
  const request = indexedDB.open("board");
  request.onerror = done;
  request.onupgradeneeded = () => request.transaction.abort();
  request.onsuccess = () => {
    const database = request.result;
    if (!database.objectStoreNames.contains("boards")) {
      database.close();
      done();
      return;
    }
    const transaction = database.transaction("boards", "readwrite");
    transaction.objectStore("boards").clear();
    transaction.oncomplete = () => {
      database.close();
      done();
    };
  };
});

// A page that was loaded before this worker was there is kept as well.
self.addEventListener("message", (event) => {
  const path = event.data?.keep;
  if (!KEPT.test(path)) return;
  const request = new Request(path, { credentials: "same-origin" });
  event.waitUntil(fetch(request).then((response) => (response.ok && !response.redirected ? keep(request, response) : null)).catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method === "POST" && ["/logout/", "/login/", "/login/again/"].includes(url.pathname)) {
    event.waitUntil(Promise.all([wipe(), wipeBoards()]));
  } else if (request.method === "GET" && request.mode === "navigate" && KEPT.test(url.pathname)) {
    event.respondWith(page(event));
  } else if (request.method === "GET" && FILES.includes(url.pathname)) {
    event.respondWith(file(request));
  }
});
