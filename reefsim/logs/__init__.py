"""The tables of a run on disk: parquet files, which need no reefsim to be read."""
