"""Logs of autopilots as recordings: ULog of PX4, ``.bin`` of ArduPilot, tlog of ground stations."""
