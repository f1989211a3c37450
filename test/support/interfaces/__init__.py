"""Message packages that no index has, built for the tests: px4_msgs of all releases, others."""
