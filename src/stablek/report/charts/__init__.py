"""Drawings of the report, made from plain numbers."""
