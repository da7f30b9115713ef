"""Clients in every order of their requests: what can happen, one run, the search, its words."""
