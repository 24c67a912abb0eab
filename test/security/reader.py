# Parses lines of JSON strictly and prints the number of lines. Exits with an error for an invalid line.
import json
import sys


def members(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"duplicate key: {keys}")
    return dict(pairs)


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


count = 0
for line in sys.stdin.buffer.read().decode("utf-8", "strict").split("\n")[:-1]:
    record = json.loads(line, object_pairs_hook=members, parse_constant=refuse)
    if record["level"] != "info" or record["timestamp"] != "2023-11-14T22:13:20.123Z":
        raise ValueError(f"forged: {line[:200]}")
    count += 1
print(count)
