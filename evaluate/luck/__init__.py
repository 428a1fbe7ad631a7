"""Luck measured by value functions and taken off returns: control variates."""
