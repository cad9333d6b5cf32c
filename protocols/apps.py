"""The app of tournaments, games and their protocols."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ProtocolsConfig(AppConfig):
    """Protocols of games."""

    name = "protocols"
    verbose_name = _("Protocols")

    def ready(self) -> None:
        """Has the database itself keep what is written once."""
        from .models.triggers import install_after_migrate

        post_migrate.connect(install_after_migrate, dispatch_uid="written_once")
