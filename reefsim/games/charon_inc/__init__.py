"""CHARON Inc. (Emanuele Ornella, 2010); the rules are in RULES.md."""
