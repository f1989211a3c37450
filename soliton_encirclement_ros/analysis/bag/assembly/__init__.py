"""Assembles the columns of all topics into one recording."""
