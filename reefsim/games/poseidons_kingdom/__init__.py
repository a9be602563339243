"""Poseidon's Kingdom (Fragor Games, 2011; second edition Game Salute)."""
