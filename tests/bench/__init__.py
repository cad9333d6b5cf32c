"""Measurements, each beside its floor taken in the same run: `make bench`, or `python -m tests.bench rules …`."""
