"""Does the minimum work of a simple trimmer: parses every line and writes it again.

Usage: python3 round_trip.py IN OUT
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8", errors="surrogateescape") as source:
    with open(sys.argv[2], "w", encoding="utf-8", errors="surrogateescape") as target:
        for line in source:
            target.write(json.dumps(json.loads(line)))
            target.write("\n")
