"""Mustamaija: the Finnish beating game of the black Maija, for two to eight players, with one loser."""
