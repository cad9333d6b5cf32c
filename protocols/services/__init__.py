"""The only writes."""
