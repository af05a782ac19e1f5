"""Does the next agent get what it needs: facts within a budget, recall in a large store."""
