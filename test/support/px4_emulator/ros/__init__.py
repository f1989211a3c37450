"""The emulator as a process on DDS, with the messages of a release of px4_msgs."""
