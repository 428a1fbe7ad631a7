"""Anything that can decide: random, rule-based, search, networks, Stable-Baselines3 models, a human."""
