"""Files of a bag: mcap and sqlite3, compressed, damaged or intact."""
