"""One game: its record, its rules, its sheet, and the tournament round it."""
