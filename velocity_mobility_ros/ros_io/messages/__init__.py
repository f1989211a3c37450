"""Messages of a vehicle: converted, as bytes, checked on arrival, and their transforms."""
