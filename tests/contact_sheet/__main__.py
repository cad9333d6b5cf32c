"""`python -m tests.contact_sheet`: a site of its own, a game played on it, and docs/contact-*.webp of what is seen."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps an event loop in this thread

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main() -> None:
    """Makes the sheets, or those named."""
    django.setup()
    from . import camera

    parser = argparse.ArgumentParser(prog="python -m tests.contact_sheet", description=__doc__)
    parser.add_argument("--only", default="", help="sheets whose name holds this text")
    parser.add_argument("--scene", default="", help="scenes whose name holds this text")
    parser.add_argument("--folder", type=Path, default=DOCS)
    parser.add_argument("--singles", type=Path, help="keep each picture in this folder, too")
    asked = parser.parse_args()
    asked.folder.mkdir(exist_ok=True)
    for path in camera.sheets(asked.folder, only=asked.only, scene=asked.scene, singles=asked.singles):
        sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main()
