"""The form in two layers: what is printed on every form of an edition, and what is written on this one.

Drawing the printed layer takes a third of the time and gives the same for every sheet, so it is drawn once.
"""

from __future__ import annotations

from dataclasses import replace

from .rules.sheet import Header, Row, Sheet
from .rules.terms import SEATS
from .sheet_view import Form, Labels, form_of
from .sheet_votes import Block


def is_usual(form: Form) -> bool:
    """Whether the form is printed as always: nothing overleaf moves the lines of its back or draws them closer."""
    return not form.overleaf and not form.density


def printed_layer(labels: Labels) -> Form:
    """The form as it comes from the press: lines, labels, seats; nothing that may be written otherwise."""
    empty = form_of(Sheet("", Header("", "", 0, 0, "", ""), tuple(Row(seat, "") for seat in SEATS)))
    blocks = tuple(replace(block, note="") for block in empty.blocks)
    return replace(empty, labels=labels, date="", signature="", blocks=blocks)


def ink_layer(form: Form) -> Form:
    """What is written on the form, every word in its place, without what is printed."""
    players = tuple(replace(player, seat="") for player in form.players)
    return replace(form, labels=Labels(), players=players, blocks=tuple(map(_ink, form.blocks)), is_ink=True)


def _ink(block: Block) -> Block:
    """The block without its title and the labels of its rows; of a blank one, only the note."""
    rows = [replace(row, label="") for row in block.rows if not block.is_blank]
    return replace(block, title="", rows=tuple(rows))
