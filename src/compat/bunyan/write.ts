import { lineStream } from '../shared/destination/standard-destination.ts'
import { isRedacted } from '../shared/hidden-secrets.ts'
import { acceptsSeverity } from '../shared/severity-stream.ts'
import { severityOfPinoLevel } from '../../record/severity-maps.ts'
import { lineNotWritten } from '../shared/hook-failures.ts'
import type { Instance } from './instance.ts'
import type { AnyStream, OpenStream } from './open-stream.ts'
import type { BunyanRecord } from './instance.ts'

const eol = process.platform === 'win32' ? '\r\n' : '\n'

/** Returns the line of a record. */
export function lineOf({ parts }: Instance, record: BunyanRecord): string {
  return parts.json.record(record) + eol
}

/** Writes a record to the streams that accept its level. Returns its line if any stream needs it. Never throws. */
export function writeRecord(logger: Instance, record: BunyanRecord, level: number): string | undefined {
  const { parts, streams } = logger
  const { json, hookFailures } = parts
  const needsLine = json.redaction !== undefined || streams.some(isLineStream)
  const line = needsLine ? lineOf(logger, record) : undefined
  let isChanged: boolean | undefined
  for (const each of streams) {
    // A call can set another level in its record. A stream that accepts either level gets the record.
    if (each.level > level && !(each.level <= (record.level as number))) continue
    try {
      const stream: AnyStream = each.raw ? each.stream : lineStream(each.stream)
      let result: unknown
      if (each.raw) {
        isChanged ??= line !== undefined && isRedacted(record, line, json)
        result = stream.write(isChanged ? redactedRecord(line!, record) : record)
      } else if (acceptsSeverity(stream)) result = stream.writeRecord(line!, severityOfPinoLevel(level))
      else result = stream.write(line)
      if (typeof result === 'object') hookFailures.observe('stream.write', result, lineNotWritten)
    } catch (error) {
      hookFailures.threw('stream.write', error, lineNotWritten)
    }
  }
  return line
}

function isLineStream({ raw }: OpenStream): boolean {
  return !raw
}

/** Returns a redacted record for a raw stream, parsed from its line. */
function redactedRecord(line: string, { time }: BunyanRecord): object {
  const record = JSON.parse(line) as Record<string, unknown>
  return Object.hasOwn(record, 'time') && time instanceof Date ? { ...record, time } : record
}
