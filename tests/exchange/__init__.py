"""Games from other programs' files."""
