"""Invitations to serve in a tournament: made, withdrawn, and accepted with a code that works once."""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from ..exchange.lines import line_written
from ..models import MOST_TRIES, Invitation, Member, MemberRole, Tournament
from .errors import Invalid
from .members import appoint
from .people import printed_name

LETTERS = "ACDEFHJKMNPQRTUWXY3479"
"""Those that nobody takes for another one: no B and 8, G and 6, I, L and 1, O and 0, S and 5, V, Z and 2."""
TWINS = str.maketrans("АСЕНКМРТХУ", "ACEHKMPTXY")  # Cyrillic ones that look the same
HANDLE, SECRET = 4, 6  # letters: by which it is found, and what nobody knows
DAYS = 7
MOST_DAYS = 60
MOST_OPEN = 200  # invitations of a tournament that wait for an answer
SALT = "protocols.invitation"
LATER = {"mailed_at", "accepted_at", "accepted_by", "withdrawn_at", "withdrawn_by"}  # columns that are empty at first


def invite(
    tournament: Tournament, role: str, *, by: User, whom: str = "", email: str = "", days: int = DAYS, uuid: UUID
) -> tuple[Invitation, str]:
    """Makes an invitation; gives it and its code, which is told this once and kept nowhere. Raises Invalid.

    `uuid` is that of the form: one that was sent twice makes one invitation.
    """
    if not 1 <= days <= MOST_DAYS:
        raise Invalid(_("An invitation holds from 1 to %(most)d days.") % {"most": MOST_DAYS})
    now = timezone.now()
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        if Invitation.objects.filter(uuid=uuid).exists():
            raise Invalid(_("This invitation is made already; its code was shown once. Withdraw it if it is lost."))
        waiting = Invitation.objects.filter(
            tournament=tournament, accepted_at=None, withdrawn_at=None, closes_at__gt=now
        ).count()
        if waiting >= MOST_OPEN:
            raise Invalid(
                _("%(count)d invitations wait for an answer already. Withdraw some before making more.")
                % {"count": waiting}
            )
        handle, secret = _free_handle(), _letters(SECRET)
        made = Invitation(
            uuid=uuid, tournament=tournament, role=role, whom=line_written(whom), email=email, handle=handle,
            digest=_digest(handle, secret), made_at=now, made_by=by, closes_at=now + timedelta(days=days),
        )  # fmt: skip
        try:
            made.clean_fields(exclude=LATER)
        except ValidationError as error:
            raise Invalid(*error.messages) from None
        made.save()
    return made, code_written(handle + secret)


def withdraw(invitation: Invitation, *, by: User) -> None:
    """Makes an invitation worth nothing. Raises Invalid for one that was accepted."""
    with transaction.atomic():
        held = Invitation.objects.select_for_update().get(pk=invitation.pk)
        if held.accepted_at is not None:
            raise Invalid(_("The invitation has been accepted already."))
        if held.withdrawn_at is None:
            held.withdrawn_at, held.withdrawn_by = timezone.now(), by
            held.save(update_fields=["withdrawn_at", "withdrawn_by"])


def code_typed(text: str) -> str:
    """The code as it is compared: capital Latin letters without spaces and dashes; Cyrillic twins become Latin.

    >>> code_typed(" км7р x-qtw9a ")
    'KM7PXQTW9A'
    """
    return "".join(letter for letter in text.upper().translate(TWINS) if letter.isalnum())[: 2 * (HANDLE + SECRET)]


def code_written(code: str) -> str:
    """The code as it is shown and stands in addresses: in two halves.

    >>> code_written("km7p xqtw9a")
    'KM7PX-QTW9A'
    """
    typed, half = code_typed(code), (HANDLE + SECRET) // 2
    return f"{typed[:half]}-{typed[half:]}"


def invited_with(code: str) -> Invitation:
    """The invitation that the code opens now. Raises Invalid saying why it opens none.

    A wrong code is counted against the invitation that it begins like; after ten of them that one is worth nothing.
    """
    typed = code_typed(code)
    found = Invitation.objects.filter(handle=typed[:HANDLE]).select_related("tournament", "made_by").first()
    unknown = Invalid(_("There is no such invitation. Check the code letter by letter, or ask for a new one."))
    if found is None:
        raise unknown
    if not constant_time_compare(found.digest, _digest(found.handle, typed[HANDLE:])):
        Invitation.objects.filter(pk=found.pk, wrong_tries__lt=MOST_TRIES).update(wrong_tries=F("wrong_tries") + 1)
        raise unknown
    why_not = why_closed(found)
    if why_not:
        raise Invalid(why_not)
    return found


def why_closed(invitation: Invitation) -> str:
    """Why the invitation can't be accepted any more; empty while it can."""
    if invitation.accepted_at is not None:
        return _("This invitation has been used: it works once. Ask the organizer for another one.")
    if invitation.withdrawn_at is not None:
        return _("This invitation was withdrawn. Ask the organizer for another one.")
    if invitation.closes_at <= timezone.now():
        return _("This invitation is too old: its time is over. Ask the organizer for another one.")
    if invitation.wrong_tries >= MOST_TRIES:
        return _("Too many wrong codes were tried for this invitation. Ask the organizer for another one.")
    return ""


def accept(code: str, user: User) -> Member:
    """The person serves from now on, and the code is used up. Raises Invalid."""
    found = invited_with(code)
    with transaction.atomic():
        held = Invitation.objects.select_for_update().get(pk=found.pk)
        why_not = why_closed(held)
        if why_not:
            raise Invalid(why_not)
        if Member.objects.filter(tournament=held.tournament_id, user=user, role=held.role).exists():
            words = {"person": printed_name(user), "role": MemberRole(held.role).label}
            raise Invalid(_("%(person)s already serves as %(role)s.") % words)
        held.accepted_at, held.accepted_by = timezone.now(), user
        held.save(update_fields=["accepted_at", "accepted_by"])
        return appoint(found.tournament, user, held.role, by=user, invitation=held)


def join_anew(code: str, *, username: str, password: str, first_name: str, last_name: str) -> Member:
    """Makes an account and accepts with it, both or neither. Raises Invalid."""
    invited_with(code)  # a wrong code is counted also where nothing else is written
    try:
        with transaction.atomic():
            user = User.objects.create_user(
                username, password=password, first_name=line_written(first_name), last_name=line_written(last_name)
            )
            return accept(code, user)
    except IntegrityError:
        raise Invalid(_("This username has just been taken; please choose another one.")) from None


def _free_handle() -> str:
    while True:
        handle = _letters(HANDLE)
        if not Invitation.objects.filter(handle=handle).exists():
            return handle


def _letters(count: int) -> str:
    return "".join(secrets.choice(LETTERS) for _letter in range(count))


def _digest(handle: str, secret: str) -> str:
    """Keyed by the site's secret, which is not in the database: from a copy of it no code can be tried out."""
    return salted_hmac(SALT, f"{handle} {secret}", algorithm="sha256").hexdigest()
