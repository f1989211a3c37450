"""Options of the verbs: what they take, and which of them clash."""
