"""How the verdict is reached: prepare, observe, compare with nulls, gate, pick, say."""
