"""The bridge of one vehicle without ROS: state machine, guidance and frames put together."""
