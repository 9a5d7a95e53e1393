"""`python -m cgstore`, and the script `cgstore`: the command line."""

import sys


def run() -> None:
    """Runs the command line. Ctrl-C ends it without a traceback from the start, while modules are still imported."""
    try:
        from cgstore.cli import main

        main(prog_name="cgstore")
    except KeyboardInterrupt:
        from cgstore.errors import INTERRUPTED

        sys.stderr.write("\nInterrupted.\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder, whose modules nobody asked for; `cgstore` does not look there either
    run()
