"""What a plain trimmer costs before it trims: every line parsed and written again.

Usage: python3 round_trip.py IN OUT
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8", errors="surrogateescape") as source:
    with open(sys.argv[2], "w", encoding="utf-8", errors="surrogateescape") as target:
        for line in source:
            target.write(json.dumps(json.loads(line)))
            target.write("\n")
