"""`python3 -m tidepool`."""

import sys

from tidepool.cli import main

sys.exit(main())
