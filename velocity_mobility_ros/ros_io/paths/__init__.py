"""What a node that flies paths receives: paths, and odometry in their frame."""
