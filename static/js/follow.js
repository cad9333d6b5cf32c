// Asks again and again whether something on the page has changed, and says so when nobody answers.
// `page` has data-mark and data-now; `lost` has data-words, and data-out where somebody may be logged out meanwhile.
// Gives the server's clock: now() is ms since 1970 there.
"use strict";
const follow = ({ page, lost, address, every, patience, request, take, tick }) => {
  let mark = `"${page.dataset.mark}"`;
  let skew = Date.now() - Number(page.dataset.now); // how far this clock is ahead of the server's
  let answered = Date.now();
  let asking = false;

  const ask = async () => {
    if (asking || document.hidden) return;
    asking = true;
    const sent = Date.now();
    try {
      const answer = await fetch(address, {
        ...request,
        cache: "no-store",
        headers: { "If-None-Match": mark },
        signal: AbortSignal.timeout(patience),
      });
      if (answer.status === 200) {
        take(await answer.text());
        mark = answer.headers.get("ETag");
      }
      if (answer.status === 200 || answer.status === 304) {
        answered = Date.now();
        const now = Number(answer.headers.get("X-Now"));
        // The answer was on its way for half of the time that it took; a slow one says little about the clock.
        if (now && answered - sent < 1000) skew = (sent + answered) / 2 - now;
        lost.textContent = "";
      } else if (lost.dataset.out && [401, 403, 404].includes(answer.status)) {
        lost.textContent = lost.dataset.out;
      }
    } catch {
      // The next question may be answered.
    }
    if (Date.now() - answered > patience && !lost.textContent) {
      lost.textContent = `${lost.dataset.words} ${new Date(answered).toLocaleTimeString("ru-RU")}`;
    }
    asking = false;
    tick();
  };

  const go = async () => {
    await ask();
    setTimeout(go, every);
  };
  document.addEventListener("visibilitychange", ask);
  setTimeout(go, every);
  return { now: () => Date.now() - skew };
};
