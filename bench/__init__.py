"""How fast and how well: measurements that state, and never assert, except pinned ones."""
