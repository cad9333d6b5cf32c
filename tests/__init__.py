"""Tests of the whole project; they mirror its tree."""
