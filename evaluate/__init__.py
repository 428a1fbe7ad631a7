"""Duplicate matches, ratings and what follows from them."""
