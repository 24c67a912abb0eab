"""Decodes ExportLogsServiceRequests with the classes that the protobuf compiler generates from the OpenTelemetry definitions.

A message on standard input is a letter, `p` for protobuf or `j` for JSON, the length of the request as four bytes, and the request.
The reply is a length and JSON: {"request": ...} in the form of OTLP/JSON, or {"error": "..."}.
"""
import base64
import json
import math
import struct
import sys

from google._upb import _message
from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

# The default limit of protobuf is 100 nested messages, which are 33 nested maps.
_message.SetAllowOversizeProtos(True)
sys.setrecursionlimit(100_000)
MOST_MESSAGES = 10_000


def main():
    while header := sys.stdin.buffer.read(5):
        form, length = struct.unpack(">cI", header)
        try:
            reply = {"request": request_of(read_request(form, sys.stdin.buffer.read(length)))}
        except Exception as error:  # any error is reported in the reply
            reply = {"error": f"{type(error).__name__}: {error}"}
        text = json.dumps(reply).encode()
        sys.stdout.buffer.write(struct.pack(">I", len(text)) + text)
        sys.stdout.buffer.flush()


def read_request(form, data):
    request = ExportLogsServiceRequest()
    if form == b"p":
        request.ParseFromString(data)
        return request
    # Strict: UTF-8, one JSON value, no NaN, no duplicate key. json_format rejects unknown keys.
    value = json.loads(data.decode("utf-8"), parse_constant=reject, object_pairs_hook=unique)
    for record in (r for resource in value["resourceLogs"] for scope in resource["scopeLogs"] for r in scope["logRecords"]):
        # Ids are hexadecimal in OTLP/JSON, and base64 in the JSON of protobuf.
        for name in ("traceId", "spanId"):
            if name in record:
                record[name] = base64.b64encode(bytes.fromhex(record[name])).decode()
    return json_format.ParseDict(value, request, max_recursion_depth=MOST_MESSAGES)


def reject(constant):
    raise ValueError(f"{constant} is not JSON")


def unique(pairs):
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(f"a duplicate key among {[key for key, _ in pairs]}")
    return value


def request_of(request):
    return {
        "resourceLogs": [
            {
                "resource": attributes_of(entry.resource),
                "schemaUrl": entry.schema_url,
                "scopeLogs": [
                    {
                        "scope": {"name": part.scope.name, "version": part.scope.version, **attributes_of(part.scope)},
                        "schemaUrl": part.schema_url,
                        "logRecords": [record_of(record) for record in part.log_records],
                    }
                    for part in entry.scope_logs
                ],
            }
            for entry in request.resource_logs
        ]
    }


def record_of(record):
    return {
        "timeUnixNano": str(record.time_unix_nano),
        "observedTimeUnixNano": str(record.observed_time_unix_nano),
        "severityNumber": record.severity_number,
        "severityText": record.severity_text,
        **({"body": value_of(record.body)} if record.HasField("body") else {}),
        **attributes_of(record),
        "flags": record.flags,
        "traceId": record.trace_id.hex(),
        "spanId": record.span_id.hex(),
        "eventName": record.event_name,
    }


def attributes_of(message):
    return {"attributes": members_of(message.attributes), "droppedAttributesCount": message.dropped_attributes_count}


def members_of(members):
    return [{"key": member.key, "value": value_of(member.value)} for member in members]


def value_of(value):
    kind = value.WhichOneof("value")
    if kind is None:
        return {}
    if kind == "array_value":
        return {"arrayValue": {"values": [value_of(item) for item in value.array_value.values]}}
    if kind == "kvlist_value":
        return {"kvlistValue": {"values": members_of(value.kvlist_value.values)}}
    if kind == "int_value":
        return {"intValue": str(value.int_value)}
    if kind == "bytes_value":
        return {"bytesValue": base64.b64encode(value.bytes_value).decode()}
    if kind == "double_value":
        return {"doubleValue": value.double_value if math.isfinite(value.double_value) else special(value.double_value)}
    return {{"string_value": "stringValue", "bool_value": "boolValue"}[kind]: getattr(value, kind)}


def special(number):
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


main()
