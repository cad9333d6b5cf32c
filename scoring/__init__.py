"""Many games: ratings, order, exports."""
