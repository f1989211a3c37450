"""Autopilots, without ROS: what they report, what they are asked for, and when.

PX4 and ArduPilot differ in messages, modes and habits. Here is what is common: records of what an
autopilot reports (``reports``) and of what is sent to it (``outputs``), both in ROS frames.
"""
