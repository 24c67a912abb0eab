"""Copies log records from Kafka to a table of ClickHouse's engine, until it is stopped.

Offsets are committed after the rows are inserted, so a loader killed in between inserts them again and loses none.

usage: loader.py brokers directory
"""
import signal
import sys

from chdb.session import Session
from kafka import KafkaConsumer, TopicPartition
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from table import connect, insert, loaded

TOPIC = "otlp_logs"
stopping = False


def main(brokers, directory):
    session = connect(Session, directory)
    # Partitions are assigned manually, so a consumer restarted after SIGKILL has them immediately.
    consumer = KafkaConsumer(
        bootstrap_servers=brokers, group_id="loader", enable_auto_commit=False, auto_offset_reset="earliest"
    )
    print("ready", flush=True)
    while not stopping and not (partitions := consumer.partitions_for_topic(TOPIC)):
        consumer.poll(200)
    consumer.assign([TopicPartition(TOPIC, partition) for partition in partitions or ()])
    while not stopping:
        messages = [message for batch in consumer.poll(200).values() for message in batch]
        if not messages:
            continue
        insert(session, [row for message in messages for row in rows_of(message.value)])
        consumer.commit()
        print("loaded", loaded(session), flush=True)


def rows_of(data):
    request = ExportLogsServiceRequest.FromString(data)
    records = (r for entry in request.resource_logs for scope in entry.scope_logs for r in scope.log_records)
    for record in records:
        values = {member.key: member.value for member in record.attributes}
        yield {
            "run": values["run"].string_value,
            "pid": values["pid"].int_value,
            "seq": values["seq"].int_value,
            "payload": values["payload"].string_value,
            "hash": values["hash"].string_value,
        }


def stop(*_):
    global stopping
    stopping = True


signal.signal(signal.SIGTERM, stop)
main(*sys.argv[1:])
