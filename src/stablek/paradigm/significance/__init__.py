"""Significance analysis: from curves to k*. Rules are pure functions of arrays."""
