// Ten nicknames with known players offered, a pasted list, and the count of the roles. The page works without it.
(() => {
  "use strict";
  const form = document.querySelector("form.prepare");
  if (!form) return;
  const fields = [...form.querySelectorAll(".seat-field__input")];
  const status = form.querySelector("[data-status]");
  const say = (words) => { status.textContent = words; };

  // ---------------------------------------------------------------- known players, as a combobox (ARIA 1.2)

  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", form.dataset.offered);
  list.hidden = true;
  let owner = null;
  let asked = 0;
  let timer = 0;

  const options = () => [...list.children];
  const active = () => options().findIndex((option) => option.getAttribute("aria-selected") === "true");

  const close = () => {
    list.hidden = true;
    asked += 1; // an answer under way comes too late
    clearTimeout(timer);
    if (!owner) return;
    owner.setAttribute("aria-expanded", "false");
    owner.removeAttribute("aria-activedescendant");
  };

  const mark = (index) => {
    options().forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    if (index < 0) {
      owner.removeAttribute("aria-activedescendant");
      return;
    }
    owner.setAttribute("aria-activedescendant", list.children[index].id);
    list.children[index].scrollIntoView({ block: "nearest" });
  };

  const next = (field) => {
    const after = fields[fields.indexOf(field) + 1];
    if (after) after.focus();
    else field.blur();
  };

  const choose = (field, nickname) => {
    field.value = nickname;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    close();
    next(field);
  };

  const show = (field, nicknames) => {
    const taken = new Set(fields.filter((other) => other !== field).map((other) => other.value.trim().toLowerCase()));
    const offered = nicknames.filter((nickname) => !taken.has(nickname.toLowerCase()));
    list.replaceChildren(...offered.map((nickname, at) => {
      const option = document.createElement("li");
      option.className = "suggestions__option";
      option.id = `suggestion-${at}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.textContent = nickname;
      // Before the field loses its focus, which would close the list.
      option.addEventListener("pointerdown", (event) => event.preventDefault());
      option.addEventListener("click", () => choose(field, nickname));
      return option;
    }));
    if (!offered.length || (offered.length === 1 && offered[0] === field.value)) {
      close();
      return;
    }
    field.parentElement.append(list);
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
  };

  const ask = async (field) => {
    const typed = field.value.trim();
    if (!typed) {
      close();
      return;
    }
    asked += 1;
    const mine = asked;
    try {
      const address = new URL(form.dataset.suggest, document.baseURI);
      address.searchParams.set("q", typed);
      const response = await fetch(address, { headers: { Accept: "application/json" }, redirect: "error" });
      if (!response.ok) return;
      const { players } = await response.json();
      if (mine === asked && document.activeElement === field) show(field, players);
    } catch {
      // No network: the judge types the nickname out.
    }
  };

  fields.forEach((field) => {
    field.removeAttribute("list");
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", list.id);
    field.setAttribute("aria-expanded", "false");
    field.addEventListener("focus", () => { owner = field; });
    field.addEventListener("blur", close);
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(ask, 120, field);
    });
    field.addEventListener("keydown", (event) => {
      const count = list.hidden ? 0 : list.children.length;
      if (event.key === "ArrowDown" && count) mark((active() + 1) % count);
      else if (event.key === "ArrowUp" && count) mark((active() + count - (active() < 0 ? 0 : 1)) % count);
      else if (event.key === "Escape" && count) close();
      else if (event.key === "Enter") {
        if (count && active() >= 0) choose(field, list.children[active()].textContent);
        else {
          close();
          next(field);
        }
      } else return;
      event.preventDefault();
    });
  });
  form.append(list);

  // ---------------------------------------------------------------- a pasted list

  const numbered = /^\s*(?:№\s*)?(?:10|[1-9])\s*(?:[.):\t]|-\s)\s*|^\s*№\s*(?:10|[1-9])\s+/;
  form.addEventListener("paste", (event) => {
    const at = fields.indexOf(event.target);
    if (at < 0) return;
    const lines = event.clipboardData.getData("text").split(/\r?\n/)
      .map((line) => line.replace(numbered, "").trim()).filter(Boolean);
    if (lines.length < 2) return;
    event.preventDefault();
    close();
    const room = fields.slice(at);
    room.forEach((field, index) => {
      if (index >= lines.length) return;
      field.value = lines[index];
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    const over = lines[room.length];
    say(over ? form.dataset.tooMany.replace("{nickname}", over) : "");
    status.classList.toggle("invalid-feedback", Boolean(over));
    if (!over && fields.every((field) => field.value)) say(form.dataset.filled);
  });

  // ---------------------------------------------------------------- roles

  const roles = form.querySelector("[data-roles]");
  if (!roles) return;
  const radios = [...roles.querySelectorAll("input[type=radio]")];
  const counts = [...roles.querySelectorAll("[data-count]")];
  const clear = roles.querySelector("[data-clear-roles]");
  const chosen = (value) => radios.filter((radio) => radio.checked && radio.value === value).length;

  const count = () => {
    counts.forEach((each) => {
      const number = chosen(each.dataset.count);
      const needed = Number(each.dataset.needed);
      each.querySelector("[data-chosen]").textContent = String(number);
      each.classList.toggle("role-counts__one--full", number === needed);
      each.classList.toggle("role-counts__one--over", number > needed);
    });
    clear.hidden = !radios.some((radio) => radio.checked);
  };

  // The don, the sheriff and two blacks are named: whoever has no letter is red.
  const complete = () => {
    const named = counts.every((each) => each.dataset.count === "red"
      || chosen(each.dataset.count) === Number(each.dataset.needed));
    if (!named) return;
    roles.querySelectorAll("[role=radiogroup]").forEach((group) => {
      if (!group.querySelector(":checked")) group.querySelector("[value=red]").checked = true;
    });
  };

  let before = null;
  roles.addEventListener("pointerdown", (event) => {
    const label = event.target.closest(".role-letter");
    before = label && label.querySelector("input").checked ? label.querySelector("input") : null;
  });
  roles.addEventListener("click", (event) => {
    // A second tap on the same letter takes it back.
    if (event.target === before) {
      before.checked = false;
      before = null;
      count();
    }
  });
  roles.addEventListener("change", () => {
    complete();
    count();
  });
  clear.addEventListener("click", () => {
    radios.forEach((radio) => { radio.checked = false; });
    count();
  });

  const name = (field) => {
    const seat = fields.indexOf(field) + 1;
    const nickname = field.value.trim();
    roles.querySelector(`[data-nickname-of="${seat}"]`).textContent = nickname;
    roles.querySelectorAll("[role=radiogroup]")[seat - 1].setAttribute(
      "aria-label", form.dataset.roleOf.replace("{seat}", String(seat)).replace("{nickname}", nickname).trim());
  };
  form.addEventListener("change", (event) => { if (fields.includes(event.target)) name(event.target); });
  form.addEventListener("input", (event) => { if (fields.includes(event.target)) name(event.target); });
  fields.forEach(name);
  count();
})();
