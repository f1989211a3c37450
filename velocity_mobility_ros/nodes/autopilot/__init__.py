"""One bridge node per vehicle: ``cmd_vel`` and ``odom`` on one side, an autopilot on the other."""
