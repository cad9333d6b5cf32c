"""Who is logged in: Django's own sessions and accounts, asked for by reads whose SQL is made once.

Every request of a logged-in person asks both; a judge's tap asks little else.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.db.models import BigIntegerField, CharField, DateTimeField
from django.utils import timezone

from protocols.models.prepared import Prepared

_sessions = Prepared(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now),
    (CharField(), "a key that nobody has"),
    (DateTimeField(), datetime(1999, 9, 9, tzinfo=UTC)),
)
_users = Prepared(lambda pk: User.objects.filter(pk=pk), (BigIntegerField(), 1_000_001))


class SessionStore(DatabaseStore):
    """A session as Django keeps it in the database."""

    def _get_session_from_db(self) -> Session | None:
        found = _sessions(self.session_key, timezone.now())
        if not found:
            self._session_key = None
            return None
        session: Session = found[0]
        return session


class Accounts(ModelBackend):
    """Accounts as Django keeps them."""

    def get_user(self, user_id: Any) -> User | None:
        """The account of that number, where it may log in; None otherwise."""
        user = next(iter(_users(user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None
