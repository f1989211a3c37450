"""ArduCopter over its own DDS client (AP_DDS): its topics and services as reports and requests."""
