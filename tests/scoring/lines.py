"""Seats of signed games, written as short as a judge would say them; points come out in thousandths."""

from __future__ import annotations

from decimal import Decimal

from protocols.rules.points import thousandths
from protocols.rules.regulation import Regulation
from protocols.rules.terms import ROLE_OF_LETTER, Result
from scoring.ratings import Line

PLAYERS = ("Астра", "Барс", "Вихрь", "Гранит", "Дельта", "Ёлка", "Жасмин", "Зенит", "Ирис", "Каштан")
IDS = {nickname: number for number, nickname in enumerate(PLAYERS, start=1)}
NAMES = {number: nickname for nickname, number in IDS.items()}


def seat(
    regulation: Regulation,
    result: str,
    nickname: str,
    role: str,
    *,
    stage: int = 1,
    extra: str = "0",
    hits: int | None = None,
    speech: str = "0",
    shot: bool = False,
    removed: bool = False,
    expelled: bool = False,
) -> Line:
    """One seat: `role` is a letter, К Ш Ч or Д; `hits`, the blacks of a best move, say that the player was shot."""
    part, end = ROLE_OF_LETTER[role], Result(result)
    won = None if end == Result.DRAW or not end.counts else end.value == part.team.value
    win = regulation.draw if won is None else regulation.win(part.team) if won else regulation.loss
    return Line(
        player_id=IDS[nickname],
        stage_id=stage,
        role=part.value,
        result=end.value,
        won=won,
        win=thousandths(win),
        penalty=thousandths(regulation.removal) if removed else 0,
        speech=thousandths(Decimal(speech)),
        extra=thousandths(Decimal(extra)),
        best_move=0 if hits is None else thousandths(regulation.best_move(part, hits)),
        first_victim=shot or hits is not None,
        from_tournament=expelled,
    )
