"""What happens at set times: windows, periods, outages."""
