"""From an experiment file to games, and from games to logs."""
