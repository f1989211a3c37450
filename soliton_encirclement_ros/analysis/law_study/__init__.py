"""Statistics, tables and texts of a study of laws."""
