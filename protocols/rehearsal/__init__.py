"""Games that nobody plays, for trying a tournament before its day."""
