"""Readers: one module per format, and the steps that all formats share."""
