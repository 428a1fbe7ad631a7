"""What an evaluation keeps in files: its games, and what it needs to go on after an interrupt."""
