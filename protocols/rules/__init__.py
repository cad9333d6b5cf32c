"""The rules of one game, pure: no clock, no chance, no storage, no words."""
