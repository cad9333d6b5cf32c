"""The app of tournaments, games and their protocols."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProtocolsConfig(AppConfig):
    """Protocols of games."""

    name = "protocols"
    verbose_name = _("Protocols")
