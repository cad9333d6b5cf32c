"""`python -m tests.bench [NAME…]`: all measurements, or those named: `rules`, `taps`, `pdf` and so on."""

import sys
import time

from . import exports, pdf, places, rules, season, seating, standings, taps, verify

MEASURES = {
    "rules": rules.measure,
    "taps": taps.measure,
    "pdf": pdf.measure,
    "standings": standings.measure,
    "season": season.measure,
    "exports": exports.measure,
    "verify": verify.measure,
    "seating": seating.measure,
}


def main() -> None:
    """Prints one table a measurement; an aim missed is told, not an error."""
    names = sys.argv[1:] or list(MEASURES)
    unknown = [name for name in names if name not in MEASURES]
    if unknown:
        sys.exit(f"No such measurement: {', '.join(unknown)}. There are: {', '.join(MEASURES)}.")
    if "PostgreSQL" not in places.databases():
        print("DATABASE_URL names no PostgreSQL, so only SQLite is measured; `make bench` starts one.")
    started = time.monotonic()
    for name in names:
        MEASURES[name]()
    print(f"Measured in {time.monotonic() - started:.0f} s.")


if __name__ == "__main__":
    main()
