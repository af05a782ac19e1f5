"""Putting shadowgraph into the settings of hosts, and taking it out again.

`hosts` says which files a host reads and what belongs into them, `launch` what command is
written, `entries` finds and sets what is ours in a text, `jsontext`, `jsonedit` and
`tomledit` edit texts, `files` reads and writes them, `changes` is one of them before and
after, `planning` decides what changes, and `examining` says whether what is installed works.

Invariants: nothing is written that was not planned and shown; a file that cannot be read is
left as it is; what uninstall leaves is, byte for byte, what was there before install, plus
what others changed since. Where the home of a user is, the caller says.
"""
