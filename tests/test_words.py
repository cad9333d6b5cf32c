"""The Russian catalog is whole, and says what the English says."""

import re

import pytest
from babel.messages.catalog import Message
from django.utils.translation import gettext

from mafia_site import words

PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w*\}")


def _forms(message: Message, text: object) -> list[str]:
    return [str(form) for form in text] if isinstance(text, list | tuple) else [str(text)]


def test_every_word_of_the_source_has_its_russian() -> None:
    assert words.shortcomings() == []


def test_the_catalog_is_written_in_its_stable_order() -> None:
    before = words.PO_FILE.read_text(encoding="utf-8")
    words.write_catalog(words.refreshed_catalog())
    assert words.PO_FILE.read_text(encoding="utf-8") == before


def test_a_translation_keeps_the_placeholders() -> None:
    broken = []
    for message in words.messages_of(words.read_catalog()):
        allowed = [sorted(PLACEHOLDER.findall(form)) for form in _forms(message, message.id)]
        broken += [form for form in _forms(message, message.string) if sorted(PLACEHOLDER.findall(form)) not in allowed]
    assert broken == []


def test_russian_is_set_with_its_own_quotes_and_dashes() -> None:
    wrong = [
        form
        for message in words.messages_of(words.read_catalog())
        for form in _forms(message, message.string)
        if re.search(r"\"|“|”| - ", form)
    ]
    assert wrong == []


@pytest.mark.parametrize(("msgid", "russian"), [("Log in", "Войти"), ("Tournaments", "Турниры")])
def test_the_site_speaks_russian(msgid: str, russian: str) -> None:
    assert gettext(msgid) == russian
