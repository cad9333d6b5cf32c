"""A tournament to look at on the first start: real games, one under way, one not begun, and a club's evening."""
