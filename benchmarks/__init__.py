"""Measurements beside other people's programs: `python -m benchmarks.peers`, for instance."""
