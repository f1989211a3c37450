"""Autopilots, without ROS: what they report, what they are asked for, and when.

PX4 and ArduPilot differ in messages, modes and habits. What is common are records of what an
autopilot reports and of what is sent to it, both in ROS frames; what differs lies in
``protocols``.
"""
