"""Verbs that make recordings and evaluate them."""
