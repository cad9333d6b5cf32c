"""Letters by e-mail, through the server that the site's settings name; without one there are none."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)


def may_write() -> bool:
    """Whether the site has a mail server."""
    return bool(settings.HAS_MAIL)


def write_letter(to: str, subject: str, text: str) -> bool:
    """Sends a letter of plain text to one address, at once; False where that failed, or where there is no server.

    To be called outside of transactions: it waits for the server, at most `settings.EMAIL_TIMEOUT` seconds. Line
    breaks in the subject become spaces.
    """
    if not may_write():
        return False
    message = EmailMessage(" ".join(subject.split()), text, to=[to])
    try:
        return message.send() == 1
    except (OSError, SMTPException) as error:
        logger.warning("a letter could not be sent: %s", type(error).__name__)
        return False
