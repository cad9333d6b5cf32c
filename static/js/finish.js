// What is left of the caps on extra points, while they are being given.
(() => {
  "use strict";
  const form = document.querySelector("[data-caps]");
  const place = document.querySelector("[data-cap-left]");
  if (!form || !place) return;
  const sum = Number(form.dataset.sum);
  const players = Number(form.dataset.players);
  const number = (text) => Number(text.replace(",", ".").replace("−", "-")) || 0;
  const words = (value) => String(Math.round(value * 1000) / 1000).replace(".", ",").replace("-", "−");

  const tell = () => {
    const given = [...form.querySelectorAll("[data-extra]")]
      .filter((input) => input.type !== "radio" || input.checked)
      .map((input) => number(input.value))
      .filter((points) => points !== 0);
    const left = sum - given.reduce((total, points) => total + points, 0);
    const free = players - given.length;
    const over = left < 0 || free < 0;
    place.textContent = form.dataset[over ? "over" : "left"]
      .replace("{points}", words(over ? Math.max(0, -left) : left))
      .replace("{players}", over ? Math.max(0, -free) : free);
    place.classList.toggle("finish__left--over", over);
  };

  form.addEventListener("input", tell);
  tell();
})();
