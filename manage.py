#!/usr/bin/env python
"""Runs Django's management commands for this site."""

import os
import sys


def main() -> None:
    """Run the command named on the command line with the site's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mafia_site.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
