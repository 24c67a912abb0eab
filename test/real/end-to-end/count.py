"""Prints what is in the table, as JSON. usage: count.py directory"""
import json
import sys

from chdb.session import Session

from table import connect, counts

print(json.dumps(counts(connect(Session, sys.argv[1]))))
