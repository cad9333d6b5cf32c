"""A page as a browser without scripts sees it: its forms with what they would send, and its text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"input", "br", "meta", "link", "img", "col", "hr"}


@dataclass
class Button:
    """A button that sends its form."""

    label: str = ""
    name: str = ""
    value: str = ""
    aria: str = ""
    is_off: bool = False


@dataclass
class Form:
    """A form: where it goes and what it sends besides the button pressed."""

    attributes: dict[str, str]
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    options: dict[str, list[str]] = field(default_factory=dict)  # of each select, its values

    @property
    def action(self) -> str:
        """Where it is sent."""
        return self.attributes.get("action", "")

    def sent(self, button: Button | None = None, **typed: str) -> dict[str, list[str]]:
        """What a browser posts when that button, or the first, is pressed after typing."""
        data: dict[str, list[str]] = {}
        for name, value in self.fields:
            data.setdefault(name, []).append(value)
        pressed = button or (self.buttons[0] if self.buttons else Button())
        if pressed.name:
            data[pressed.name] = [pressed.value]
        return data | {name: [value] for name, value in typed.items()}


class Page(HTMLParser):
    """The forms and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.words: list[str] = []
        self.by_class: dict[str, list[str]] = {}
        self.outside: list[tuple[str, Button]] = []  # buttons that name a form elsewhere
        self._open: list[tuple[str, set[str], list[str]]] = []
        self._form: Form | None = None
        self._button: Button | None = None
        self._select = ""
        self._chosen: str | None = None
        self.feed(html)
        by_id = {form.attributes.get("id", ""): form for form in self.forms}
        for name, button in self.outside:
            by_id[name].buttons.append(button)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Takes note of forms, fields and buttons."""
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._open.append((tag, set(given.get("class", "").split()), []))
        if tag == "form":
            self._form = Form(given)
            self.forms.append(self._form)
        elif tag == "button":
            off = given.get("aria-disabled") == "true"
            button = Button("", given.get("name", ""), given.get("value", ""), given.get("aria-label", ""), off)
            self._button = button
            if "form" in given:
                self.outside.append((given["form"], button))
            elif self._form is not None and given.get("type") != "button":
                self._form.buttons.append(button)
        elif tag == "input" and self._form is not None and given.get("name"):
            ticked = given.get("type") not in ("radio", "checkbox") or "checked" in given
            if ticked:
                self._form.fields.append((given["name"], given.get("value", "")))
        elif tag == "select":
            self._select, self._chosen = given.get("name", ""), None
        if tag == "option" and self._form is not None:
            self._form.options.setdefault(self._select, []).append(given.get("value", ""))
        if tag == "option" and (self._chosen is None or "selected" in given):
            self._chosen = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        """Closes what was open."""
        if tag == "select" and self._form is not None and self._select:
            self._form.fields.append((self._select, self._chosen or ""))
        if tag == "form":
            self._form = None
        if tag == "button":
            self._button = None
        while self._open:
            name, classes, words = self._open.pop()
            text = " ".join(" ".join(words).split())
            for each in classes:
                self.by_class.setdefault(each, []).append(text)
            if self._open:
                self._open[-1][2].extend(words)
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        """Takes note of what can be read."""
        if not data.strip() or (self._open and self._open[-1][0] in ("script", "style")):
            return
        self.words.append(data.strip())
        if self._open:
            self._open[-1][2].append(data.strip())
        if self._button is not None:
            self._button.label = f"{self._button.label} {data.strip()}".strip()

    @property
    def text(self) -> str:
        """Everything that can be read."""
        return " ".join(" ".join(self.words).split())

    def of_kind(self, kind: str) -> list[Form]:
        """The forms that would write an entry of that kind."""
        return [form for form in self.forms if ("kind", kind) in form.fields]

    def form_with(self, *fields: tuple[str, str]) -> Form:
        """The one form that holds these fields."""
        found = [form for form in self.forms if set(fields) <= set(form.fields)]
        assert len(found) == 1, (fields, [form.fields for form in found])
        return found[0]

    def first(self, css: str) -> str:
        """The text of the first element of that class; empty where there is none."""
        return next(iter(self.by_class.get(css, [])), "")
