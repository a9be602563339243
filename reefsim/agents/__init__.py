"""The players: built-in kinds, and the plug for players written in Python."""
