"""Experiments that can be repeated: what rules were chosen on, the thesis tables."""
