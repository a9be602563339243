"""Metrics: the catalog, their values by game and seat, and the functions behind them."""
