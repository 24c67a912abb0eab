"""The table of log records, and its queries."""
import json


def connect(Session, directory):
    session = Session(directory)
    session.query("CREATE DATABASE IF NOT EXISTS sluice")
    session.query(
        "CREATE TABLE IF NOT EXISTS sluice.logs (run String, pid UInt32, seq UInt64, payload String, hash String) "
        "ENGINE = MergeTree ORDER BY (run, pid, seq)"
    )
    return session


def insert(session, rows):
    session.query("INSERT INTO sluice.logs FORMAT JSONEachRow\n" + "\n".join(map(json.dumps, rows)))


def loaded(session):
    """Returns the number of distinct records."""
    return int(session.query("SELECT uniqExact(run, pid, seq) FROM sluice.logs", "TabSeparated").bytes())


def counts(session):
    """Returns rows, distinct records, the last record and rows with a wrong hash, for each process of each run."""
    rows = session.query(
        "SELECT run, pid, toUInt32(count()) AS rows, toUInt32(uniqExact(seq)) AS records, toUInt32(max(seq)) AS last, "
        "toUInt32(countIf(hash != lower(hex(SHA256(concat(run, ':', toString(pid), ':', toString(seq), ':', payload)))))) "
        "AS wrong FROM sluice.logs GROUP BY run, pid ORDER BY run, pid",
        "JSONEachRow",
    )
    return [json.loads(line) for line in rows.bytes().decode().splitlines()]
