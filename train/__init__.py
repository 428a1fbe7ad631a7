"""Self-play: one readable file per algorithm."""
