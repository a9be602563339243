"""The metrics by name; the list lies in `core`, because the experiment file is checked with it."""

from __future__ import annotations

from reefsim.core.metrics import METRICS, Metric

__all__ = ["METRICS", "Metric"]
