"""What a run found, for people: tables in the terminal and a page that needs no network.

Import `reefsim.reporting.tables` or `reefsim.reporting.render`; only the latter needs matplotlib.
"""
