"""Tables and groups of the runs of a sweep."""
