"""``python -m stablek`` is the command line."""

from stablek.cli import main

if __name__ == "__main__":
    main()
