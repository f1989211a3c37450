"""The processes of a run over ROS: started, supervised, ended."""
