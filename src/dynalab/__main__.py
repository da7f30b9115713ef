"""Lets `python -m dynalab` stand for the command, where its folder is not on the PATH."""

import sys

from dynalab.cli import main

sys.exit(main())
