"""How fast: the figures of the order of work on a synthetic home, and how they grow."""
