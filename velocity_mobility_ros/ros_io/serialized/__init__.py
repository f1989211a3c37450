"""Messages as bytes: written and read at known places, without message objects."""
