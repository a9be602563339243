"""Reef Encounter (Richard Breese, 2004): the rules by chapter, in words in RULES.md."""
