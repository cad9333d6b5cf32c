"""The clauses that consequences cite, in the order of the printed texts, each with an address of its own.

The sentences of the regulations come from `protocols.rules.articles`; what a tournament's software had to settle
beside them («§n») and the Federation's practice («ФИИМ») are told here in our own words.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from .rules.articles import ARTICLES, FEDERATION_PRACTICE

# Headings of the printed text that are cited themselves, without a sentence that a case could cover.
HEADS = {
    "A 6.6": "Фолы. Игроки во время игры получают фол за следующие нарушения:",
    "A 6.7": "Дисквалифицирующий фол (удаление игрока). Игрок удаляется из-за стола за следующие нарушения:",
    "A 6.8": "Присуждение поражения команде, игрок которой допустил одно из следующих нарушений:",
}


@dataclass(frozen=True)
class Clause:
    """One clause: its code («A 7.1»), its address on the page («A-7.1»), its number in print and its text."""

    code: str
    anchor: str
    number: str
    text: str


@dataclass(frozen=True)
class Chapter:
    """Clauses that stand together in print, under their heading; without one where the text has no chapters."""

    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Source:
    """One text that clauses come from, with its address on the page."""

    anchor: str
    title: str
    chapters: tuple[Chapter, ...]


def anchor_of(code: str) -> str:
    """The address of a clause on the page of rules.

    >>> anchor_of("A 7.1"), anchor_of("B-S3"), anchor_of("§3"), anchor_of("ФИИМ")
    ('A-7.1', 'B-S3', 's3', 'F')
    """
    if code == FEDERATION_PRACTICE:
        return "F"
    return code.replace("§", "s").replace(" ", "-")


def sources() -> list[Source]:
    """Every clause that can be cited: edition A, edition B, the Federation’s practice, and what this site settles."""
    edition_a = {
        "A 4": _("4. The course of the game"),
        "A 6": _("6. Discipline"),
        "A 7": _("7. Special situations"),
        "A 8": _("8. Tournaments"),
        "A 9": _("9. The protocol of the game"),
    }
    edition_b = {
        "B-S": _("Special situations"),
        "B-T": _("How tournaments are held"),
        "B-P": _("The protocol of the game"),
    }
    practice = _clause(FEDERATION_PRACTICE, _federation_practice())
    settled = tuple(_clause(code, text) for code, text in _settled().items())
    return [
        Source("edition-a", _("Edition A"), _printed(edition_a)),
        Source("edition-b", _("Edition B"), _printed(edition_b)),
        Source("federation", _("The Federation’s practice"), (Chapter("", (practice,)),)),
        Source("settled", _("Settled here"), (Chapter("", settled),)),
    ]


def _printed(titles: dict[str, str]) -> tuple[Chapter, ...]:
    texts = dict(sorted((ARTICLES | HEADS).items(), key=lambda item: _order(item[0])))
    return tuple(
        Chapter(title, tuple(_clause(code, text) for code, text in texts.items() if code[:3] == start))
        for start, title in titles.items()
    )


def _order(code: str) -> tuple[str, list[int]]:
    """Editions and chapters by letter, numbers by value: 9.10 comes after 9.9."""
    if code.startswith("A "):
        return "A", [int(part) for part in code[2:].split(".")]
    return code[:3], [int(code[3:])]


def _clause(code: str, text: str) -> Clause:
    return Clause(code, anchor_of(code), code.removeprefix("A "), text)


def _federation_practice() -> str:
    return _(
        "What most clubs play today and the printed text does not hold: with three or four at the table the third "
        "foul leaves 30 seconds of speech instead of silence; a removal after the day’s vote was decided cancels the"
        " next day’s vote; at four, too, the judge asks who is for all of the tied leaving; three nights and the "
        "days after them in which nobody leaves are a draw; the best move is void if two or more left by the vote of"
        " day 1; extra points go in steps of 0.05."
    )


def _settled() -> dict[str, str]:
    """What the printed texts leave open, by section."""
    return {
        "§1": _(
            "The table. Ten seats, ten different people: 6 red, a sheriff, 2 black, a don. Roles may be written "
            "before the game or after it. Whoever left does not speak in turn, nominate, vote or shoot, and can’t be"
            " nominated or voted for. A player leaves by a decided vote, by the shot or by a removal."
        ),
        "§2": _(
            "The day. One minute each in seat order; the next day opens with the next living seat. A nomination is "
            "made in one’s own minute, one a day, of a living player who is not on the ballot yet; it may be "
            "withdrawn in the same minute. After the end of the game only fouls and removals, the best move, roles, "
            "points, times, a protest, a ruling and a strike are taken."
        ),
        "§3": _(
            "The vote. Every living player has one vote; whoever did not vote counts for the last candidate, so the "
            "tallies sum to the number alive. Day 1 with one nominee has no vote. After a tie the tied speak for 30 "
            "seconds and there is a revote among them; when all of them tie again the judge asks who is for all of "
            "them leaving, and more than half of the living must be for it. The vote is decided when the judge "
            "confirms the last tally or the count of that question."
        ),
        "§4": _(
            "The night. One shot a night; unless all living blacks name the same seat it is a miss. Then the don’s "
            "check and the sheriff’s, one each. The best move belongs to the player shot on night 1: three different"
            " seats, not one’s own."
        ),
        "§5": _(
            "The end. After each exit: no black left — red wins; as many blacks as reds — black wins. With roles "
            "known the winner is derived. A correction records what was announced then: a missed consequence is "
            "dated when it was noticed, what was played stays in force, and the judge gives a ruling."
        ),
        "§6": _(
            "The points. What a win and a loss bring, penalties, the best move, extra points and marks are numbers of "
            "the regulation; all of them are exact. A removed player whose team wins keeps the win."
        ),
        "§7": _(
            "The rating. It is exact, and so is the order; only what is read is rounded. The regulation says which "
            "parts a stage multiplies, how games make a rating, and what decides between equal players: a rating from "
            "outside may be among it. A game keeps the regulation it began under."
        ),
    }
