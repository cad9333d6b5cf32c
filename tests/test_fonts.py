"""The fonts we ship: whole, with their licence, and able to print every name we may meet."""

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

STATIC = Path(__file__).resolve().parent.parent / "static"
FONTS = STATIC / "fonts"
DIGITS = "0123456789"
RUSSIAN = "".join(chr(code) for code in range(ord("А"), ord("я") + 1)) + "Ёё"
NEIGHBOURS = "ЎўІіЇїЄєҐґ" + "ҒғҚқҢңӨөҰұҮүҺһӘә"  # Belarusian, Ukrainian, Kazakh
LATIN = "".join(chr(code) for code in range(ord("!"), ord("~") + 1)) + "ÀÉÑÖÜßçøþĄČęłńŐřŠťŽ"
SIGNS = "«»„“”’–—…№×−·½→←"


def _glyphs(name: str) -> dict[int, str]:
    glyphs: dict[int, str] = TTFont(FONTS / name).getBestCmap()
    return glyphs


@pytest.mark.parametrize("name", ["ibm-plex-sans-400.ttf", "ibm-plex-sans-600.ttf"])
def test_the_text_font_has_every_letter_of_our_names(name: str) -> None:
    glyphs = _glyphs(name)
    wanted = DIGITS + RUSSIAN + NEIGHBOURS + LATIN + SIGNS
    assert [letter for letter in wanted if ord(letter) not in glyphs] == []


@pytest.mark.parametrize("name", ["ibm-plex-sans-400.ttf", "ibm-plex-sans-600.ttf"])
def test_digits_are_equally_wide(name: str) -> None:
    font = TTFont(FONTS / name)
    assert len({font["hmtx"][font.getBestCmap()[ord(digit)]][0] for digit in DIGITS}) == 1


def test_the_emoji_font_has_the_emoji_of_nicknames() -> None:
    glyphs = _glyphs("noto-emoji-400.ttf")
    assert [letter for letter in "😀🦊🔥🎭👑🐺🃏🖤❤♠♥" if ord(letter) not in glyphs] == []


def test_a_family_has_one_whole_file_a_weight() -> None:
    faces = re.findall(
        r'font-family: "([^"]+)";.*?font-weight: (\d+);.*?src: url\("\.\./fonts/([^"]+)"\)',
        (STATIC / "css" / "fonts.css").read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert faces == [
        ("IBM Plex Sans", "400", "ibm-plex-sans-400.ttf"),
        ("IBM Plex Sans", "600", "ibm-plex-sans-600.ttf"),
        ("Noto Emoji", "400", "noto-emoji-400.ttf"),
    ]
    assert {path.name for path in FONTS.glob("*.ttf")} == {file for _family, _weight, file in faces}


@pytest.mark.parametrize("name", ["ibm-plex-sans-400.woff2", "ibm-plex-sans-600.woff2"])
def test_a_screen_has_the_same_letters(name: str) -> None:
    glyphs = _glyphs(name)
    assert [letter for letter in DIGITS + RUSSIAN + NEIGHBOURS + LATIN + SIGNS if ord(letter) not in glyphs] == []


def test_the_fonts_of_a_screen_weigh_at_most_120_kb() -> None:
    assert sum(path.stat().st_size for path in FONTS.glob("*.woff2")) <= 120_000


@pytest.mark.parametrize("name", ["OFL-ibm-plex-sans.txt", "OFL-noto-emoji.txt"])
def test_a_font_has_its_licence_beside_it(name: str) -> None:
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FONTS / name).read_text(encoding="utf-8")
