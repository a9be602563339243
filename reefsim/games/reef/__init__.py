"""Reef (Emerson Matsuuchi, 2018); the rules are in RULES.md."""
