"""Training configurations: YAML, one folder per game. A package, so that an installed tromf finds them too."""
