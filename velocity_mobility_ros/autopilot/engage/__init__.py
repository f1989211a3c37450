"""Who flies the vehicle: when it is engaged, armed, held, handed over and released."""
