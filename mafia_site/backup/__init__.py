"""Copies of the running site: one file with the database and the media as they were at one moment, and back again.

    python -m mafia_site.backup make [-o FILE]         a copy, into VAR_DIR/backups unless told otherwise
    python -m mafia_site.backup restore FILE [--force]  the site as it was then; what is replaced is kept aside

A copy holds password hashes and open sessions, like the site itself: keep it as safe. The secret key is not in it.
"""
