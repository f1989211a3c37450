"""Emulated autopilots with topics and services, as processes on DDS: AP_DDS and MAVROS."""
