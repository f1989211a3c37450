"""Code of the launch files: arguments, nodes of a plan, end of a run. It imports launch."""
