"""`python -m shadowgraph`: the command line without the installed script."""

from shadowgraph.cli.start import run

if __name__ == "__main__":
    run()
