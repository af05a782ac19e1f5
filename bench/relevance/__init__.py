"""How well: judged queries through the public library, beside what one would use instead."""
