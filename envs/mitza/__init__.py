"""Mîța and 101: the Romanian trick-and-draw game with three cards in hand, for two, four or six players."""
