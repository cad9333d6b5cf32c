"""Filing a protest: by whom, until when, what it may hold (RULES §8; A 8.7.1)."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from .. import access
from ..exchange.lines import line_written
from ..models import CorrectionRequest, FiledHow, Game, Protest, Seat, Status
from ..rules import protests as rules
from ..rules.terms import SEATS
from ..selectors import Record, record_of
from .errors import Invalid, Refused
from .shape import plain_text

LONGEST_TEXT = 2000  # characters
LONGEST_CLAUSE = 40
LONGEST_LINK = 300
MOST_LINKS = 5
CODE_DIGITS = 8
MOST_GUESSES = 30  # wrong codes for one game
GUESSES_KEPT = 600  # seconds


@dataclass(frozen=True, slots=True)
class Words:
    """What a protest says; `links` are addresses as they were typed."""

    text: str
    clause: str = ""
    links: Sequence[str] = field(default_factory=tuple)


# ---------------------------------------------------------------- who files


def code_of(game: Game, seat: int) -> str:
    """The eight digits by which whoever sits on that seat files a protest from a phone, without a login."""
    digest = salted_hmac("protocols.protest", f"{game.uuid}:{seat}", algorithm="sha256").digest()
    return f"{int.from_bytes(digest, 'big') % 10**CODE_DIGITS:0{CODE_DIGITS}d}"


def seat_of_code(game: Game, typed: str) -> int | None:
    """Whose code it is; None for a wrong one. After thirty wrong ones for a game none is taken for ten minutes.

    Raises Invalid then: the judge can still write the protest down.
    """
    key = f"protest-guesses:{game.uuid}"
    if cache.get(key, 0) >= MOST_GUESSES:
        raise Invalid(_("Too many wrong codes for this game. Ask the judge to write the protest down."))
    digits = "".join(filter(str.isdecimal, typed[:40]))
    found = [seat for seat in SEATS if hmac.compare_digest(code_of(game, seat).encode(), digits.encode())]
    if found:
        return found[0]
    cache.add(key, 0, GUESSES_KEPT)
    cache.incr(key)
    return None


def seat_of_player(game: Game, user: User) -> int | None:
    """Where the person sits at that game, chair corrections applied; None for whoever doesn't."""
    return next((now for now, seat in seats_now(record_of(game)).items() if seat.player.user_id == user.pk), None)


def seats_now(record: Record) -> dict[int, Seat]:
    """Seat → who sits there, chair corrections applied; one query."""
    seats = {seat.number: seat for seat in Seat.objects.filter(game=record.game).select_related("player")}
    return {now: seats[at] for now, at in record.state.chairs.items() if at in seats}


# ---------------------------------------------------------------- filing


def deadline_of(game: Game) -> datetime | None:
    """The last moment for a protest; None while the game goes on, and for one that counts for nobody.

    A correction doesn't restart the time (A 8.7.1).
    """
    if game.ended_at is None or game.status in (Status.ANNULLED, Status.REPLAYED):
        return None
    return rules.deadline(game.ended_at, game.rules)


def time_left(game: Game, now: datetime | None = None) -> timedelta:
    """How long a protest is still taken; nothing once the time is up, and while the game goes on."""
    until = deadline_of(game)
    return max(until - (now or timezone.now()), timedelta()) if until else timedelta()


def file_protest(
    game: Game,
    words: Words,
    *,
    seat: int,
    how: FiledHow,
    by: User | None = None,
    uuid: UUID | None = None,
    made_at: datetime | None = None,
    admitted_because: str = "",
) -> Protest:
    """Writes the protest of whoever sits on that seat; one of this UUID that is written already is given back.

    `by` writes it as the game's judge or the head judge, or is the player; nobody where a code proved the player.
    `made_at`: when the player made it, where the judge says so; otherwise now. `admitted_because` is the head judge's
    reason for a late one. Raises Refused with the clause, Invalid in words, PermissionDenied for who may not.
    """
    said = _fitted(words)
    with transaction.atomic():
        game = Game.objects.select_for_update(of=("self",)).select_related("tournament", "regulation_version").get(
            pk=game.pk
        )  # fmt: skip
        known = Protest.objects.filter(uuid=uuid).first() if uuid else None
        if known is not None:
            return _same(known, game)
        record = record_of(game)
        _may_file(game, record, seat, how, by)
        now = timezone.now()
        at = made_at or now
        if at > now + timedelta(minutes=1):
            raise Invalid(_("The protest can’t have been made later than now."))
        if game.ended_at and at < game.ended_at.replace(second=0, microsecond=0):
            raise Invalid(_("The protest can’t have been made before the end of the game."))
        sits = seats_now(record).get(seat)
        admitted = plain_text(admitted_because) if by is not None and _heads(by, game) else ""
        earlier = _earlier(game, sits)
        refusal = rules.refuse_protest(rules.Protest(seat, said.text, at, admitted), game.ended_at, game.rules, earlier)
        if refusal is not None:
            raise Refused(refusal)
        if sits is None:
            raise Invalid(_("Nobody is written in on seat %(seat)d.") % {"seat": seat})
        if game.status in (Status.ANNULLED, Status.REPLAYED):
            raise Invalid(_("This game counts for nobody: there is no result to protest against."))
        is_late = bool(game.ended_at and rules.late_by(game.ended_at, at, game.rules))
        return Protest.objects.create(
            uuid=uuid or uuid4(),
            game=game,
            number=Protest.objects.filter(game=game).count() + 1,
            seat=seat,
            player=sits.player,
            text=said.text,
            clause=said.clause,
            links=list(said.links),
            how=how,
            made_at=at,
            filed_at=now,
            filed_by=by,
            admitted_because=admitted if is_late else "",
            admitted_by=by if is_late else None,
        )


def _same(known: Protest, game: Game) -> Protest:
    if known.game_id != game.pk:
        raise Invalid(_("This protest has the number of another one; load the page anew."))
    return known


def _heads(by: User, game: Game) -> bool:
    return access.standing_at(by, game).is_head_judge


def _may_file(game: Game, record: Record, seat: int, how: FiledHow, by: User | None) -> None:
    """A judge of the game writes for anybody at the table; a player for nobody else."""
    if how == FiledHow.CODE:
        if by is not None:
            raise PermissionDenied
        return
    if by is None:
        raise PermissionDenied
    standing = access.standing_at(by, game)
    if how == FiledHow.JUDGE and not (standing.is_judge or standing.is_head_judge):
        raise PermissionDenied
    if how == FiledHow.LOGIN:
        sits = seats_now(record).get(seat)
        if sits is None or sits.player.user_id != by.pk:
            raise Invalid(_("Only who played at this table may protest against the game."))


def _earlier(game: Game, sits: Seat | None) -> rules.Earlier | None:
    if sits is None:
        return None
    before = Protest.objects.filter(game=game, player=sits.player_id).select_related("decision").first()
    if before is None:
        return None
    return rules.Earlier.DECIDED if hasattr(before, "decision") else rules.Earlier.OPEN


def _fitted(words: Words) -> Words:
    """The words as they are stored. Raises Invalid for what is too long, and for what is no address."""
    text = words.text
    if len(text) > LONGEST_TEXT * 4:  # before anything is done with a megabyte
        raise Invalid(_too_long())
    text = plain_text(text)
    if len(text) > LONGEST_TEXT:
        raise Invalid(_too_long())
    clause = line_written(words.clause[: LONGEST_CLAUSE * 4])
    if len(clause) > LONGEST_CLAUSE:
        raise Invalid(_("A clause is at most %(most)d characters, like A 6.6.1.") % {"most": LONGEST_CLAUSE})
    links = [link.strip() for link in words.links if link.strip()]
    if len(links) > MOST_LINKS:
        raise Invalid(_("At most %(most)d links.") % {"most": MOST_LINKS})
    for link in links:
        if not is_address(link):
            raise Invalid(_("“%(link)s” is no address of a page: it begins with http:// or https://.") % {
                "link": line_written(link[:80])
            })  # fmt: skip
    return Words(text, clause, links)


def _too_long() -> str:
    return _("The text is too long: at most %(most)d characters.") % {"most": LONGEST_TEXT}


def is_address(text: str) -> bool:
    """Whether it is the address of a page that may be linked to.

    >>> is_address("https://youtu.be/x?t=62"), is_address("javascript:alert(1)"), is_address("https:///x")
    (True, False, False)
    """
    if len(text) > LONGEST_LINK or any(c.isspace() or not c.isprintable() for c in text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


# ---------------------------------------------------------------- corrections that a judge asks for


def ask_correction(game: Game, text: str, *, by: User) -> CorrectionRequest:
    """The judge of a signed game asks the head judge to reopen it. Raises PermissionDenied, or Invalid in words."""
    if not access.standing_at(by, game).is_judge:
        raise PermissionDenied
    text = plain_text(text[: LONGEST_TEXT * 4])
    if not text:
        raise Invalid(_("Write what is to be corrected."))
    if len(text) > LONGEST_TEXT:
        raise Invalid(_too_long())
    with transaction.atomic():
        if not Game.objects.select_for_update().get(pk=game.pk).is_closed:
            raise Invalid(_("The protocol is not signed: correct it yourself."))
        if CorrectionRequest.objects.filter(game=game, answered_at=None).exists():
            raise Invalid(_("A correction of this protocol is asked for already; the head judge sees it."))
        return CorrectionRequest.objects.create(game=game, text=text, asked_by=by, asked_at=timezone.now())


def answer_correction(request: CorrectionRequest, answer: str, *, by: User) -> None:
    """The head judge says no, with the reason. Raises PermissionDenied, or Invalid in words."""
    if not access.standing_at(by, request.game).is_head_judge:
        raise PermissionDenied
    answer = plain_text(answer[: LONGEST_TEXT * 4])[:LONGEST_TEXT]
    if not answer:
        raise Invalid(_("Write why it is not corrected."))
    waiting = CorrectionRequest.objects.filter(pk=request.pk, answered_at=None)
    waiting.update(answered_at=timezone.now(), answered_by=by, answer=answer)
