"""Comparison of recordings: time alignment, common time base, differences."""
