"""Scheduled events: windows, periods, outages."""
