"""The judge's board as values: rows, panel, log and votes, made from the record before any template sees them."""
