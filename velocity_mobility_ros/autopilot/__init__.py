"""Autopilots, without ROS: their reports, the requests to them, and the state machine.

PX4 and ArduPilot differ in messages, modes and habits. What is common are records of what an
autopilot reports and of what is sent to it, both in ROS frames; what differs lies in
``protocols``.
"""
