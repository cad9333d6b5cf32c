"""The contact sheets under docs/: the board, the paper and the hall's screen at every size, to be looked at."""
