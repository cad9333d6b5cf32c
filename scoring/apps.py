"""The app of ratings and standings."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    """Standings of tournaments."""

    name = "scoring"
    verbose_name = _("Standings")

    def ready(self) -> None:
        """Has the log of cuts hear of corrections."""
        from .cut_log import listen

        listen()
