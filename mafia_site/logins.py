"""Who is logged in: Django's own sessions and accounts, asked for by reads whose SQL is made once.

Every request of a logged-in person asks both; a judge's tap asks little else.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.db.models import BigIntegerField, CharField, DateTimeField
from django.utils import timezone

from protocols.models.prepared import Prepared

_sessions = Prepared(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now).values_list("session_data"),
    (CharField(), "a key that nobody has"),
    (DateTimeField(), datetime(1999, 9, 9, tzinfo=UTC)),
)
_users = Prepared(lambda pk: User.objects.filter(pk=pk), (BigIntegerField(), 1_000_001))


class _AsItIs:
    """Takes what was signed as bytes, to be read later."""

    def loads(self, data: bytes) -> bytes:
        return data


@lru_cache(1024)
def _verified(signed: bytes | str, salt: str) -> bytes:
    """What this site signed under that salt; raises BadSignature for anything else."""
    found: bytes = signing.loads(signed, salt=salt, serializer=_AsItIs)  # type: ignore[arg-type]
    return found


class SessionStore(DatabaseStore):
    """A session as Django keeps it in the database; the same text is verified once."""

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """What is in the session; nothing where the text is not ours."""
        try:
            found: dict[str, Any] = self.serializer().loads(_verified(session_data, self.key_salt))
        except Exception:  # whatever it is, Django says so in the log
            return super().decode(session_data)
        return found

    def load(self) -> dict[str, Any]:
        """What is in the session of that key; nothing, and no key, where there is none."""
        found = _sessions(self.session_key, timezone.now())
        if not found:
            self._session_key = None
            return {}
        return self.decode(found[0][0])


class Accounts(ModelBackend):
    """Accounts as Django keeps them."""

    def get_user(self, user_id: Any) -> User | None:
        """The account of that number, where it may log in; None otherwise."""
        user = next(iter(_users(user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None
