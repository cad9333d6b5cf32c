"""Games from other programs' files: pure readers from a file's bytes to facts and entries of the rules."""
