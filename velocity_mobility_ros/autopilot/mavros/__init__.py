"""PX4 or ArduCopter behind MAVROS: its topics and services as reports and requests."""
