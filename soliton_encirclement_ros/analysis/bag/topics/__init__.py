"""Assignment of topics to members and roles."""
