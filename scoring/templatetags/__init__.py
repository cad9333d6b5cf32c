"""What pages of other apps show of scoring."""
