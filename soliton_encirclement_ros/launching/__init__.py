"""What the launch files share: arguments, nodes of a plan, the end of a run. It needs launch."""
