"""What a board's form sends for an entry of the rules."""

from __future__ import annotations

from protocols.rules import entries as e
from protocols.rules.points import points_of_thousandths
from protocols.rules.terms import AFTER, SETUP


def fields_of(entry: e.Entry) -> dict[str, str]:
    """The fields, without revision and UUID, which the answers give."""
    moment = entry.moment
    fields = {"kind": entry.kind}
    if moment not in (AFTER, SETUP):
        fields["moment"] = f"{moment.day}.{int(moment.phase)}.{moment.ballot}.{moment.step}"
    match entry:
        case e.Turn(seat=seat):
            return fields | ({"seat": str(seat)} if seat else {})
        case e.Foul():
            return fields | {"seat": str(entry.seat), "penalty": entry.penalty.value, "clause": entry.clause}
        case e.FoulClause():
            return fields | {"of": str(entry.of), "clause": entry.clause}
        case e.Strike():
            return fields | {"of": str(entry.of), "text": entry.text}
        case e.Nomination():
            return fields | {"seat": str(entry.seat), "target": str(entry.target)}
        case e.Vote():
            return fields | {"target": str(entry.target), "count": str(entry.count)}
        case e.RaiseAll():
            return fields | {"count": str(entry.count)}
        case e.Shot():
            return fields | {"target": "miss" if entry.target is None else str(entry.target)}
        case e.Check():
            return fields | {"by": entry.by.value, "target": str(entry.target)}
        case e.BestMove():
            return fields | {"seats": " ".join(map(str, entry.seats))}
        case e.ExtraPoints():
            return fields | {
                "seat": str(entry.seat),
                "points": f"{points_of_thousandths(entry.points)}",
                "text": entry.text,
            }
        case e.Roles():
            return fields | {"roles": "".join(role.letter for role in entry.roles)}
    raise ValueError(f"no form for {entry}")
