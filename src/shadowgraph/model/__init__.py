"""The frozen values that the other layers pass to each other.

`wire` holds the base of every model and the camelCase rule, `records` the shapes of what
is stored, `text` the limits and the cleaning of caller text, `scope` whose records a call
may see. Nothing here does input or output.
"""
