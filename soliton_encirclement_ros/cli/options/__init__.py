"""Options of the verbs: their types, and conflicts between them."""
