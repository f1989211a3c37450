"""Logs of autopilots: ULog of PX4, ``.bin`` of ArduPilot, tlog of ground stations."""
