"""Speed control along a polyline: bounds of the acceleration, predictions, and the choice."""
