"""The tests mirror the folders they test."""
