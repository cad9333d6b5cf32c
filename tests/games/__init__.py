"""Rule cases as data: one file a case, readable by a judge, and what reads and plays them. The language: README.md."""
