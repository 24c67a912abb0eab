import { types } from 'node:util'
import { standardDestinationOrSelf } from '../shared/destination/standard-destination.ts'
import { needsRedaction } from '../shared/hidden-secrets.ts'
import { isStreamOfThisPackage } from '../shared/severity-stream.ts'
import { severityOfPinoLevel } from '../../record/severity-maps.ts'
import { lineNotWritten } from '../shared/hook-failures.ts'
import type { Instance } from './instance.ts'
import type { AnyStream, OpenStream } from './open-stream.ts'
import type { BunyanRecord } from './instance.ts'

/** The line terminator, as in bunyan. */
const eol = process.platform === 'win32' ? '\r\n' : '\n'

/** Returns the line of a record. */
export function lineOf({ parts }: Instance, record: BunyanRecord): string {
  return parts.json.recordJson(record) + eol
}

/**
 * Writes a record to the streams that accept its level. Returns its line, which is built only if a stream receives lines or the logger has
 * redaction rules.
 */
export function writeRecord(logger: Instance, record: BunyanRecord, level: number): string | undefined {
  const { parts, streams } = logger
  const { json, hookFailures } = parts
  const needsLine = json.redaction !== undefined || streams.some(receivesLines)
  const line = needsLine ? lineOf(logger, record) : undefined
  let mustRedact: boolean | undefined
  for (const each of streams) {
    // A call can set another level in its record. A stream that accepts either level gets the record.
    if (each.level > level && !(each.level <= (record.level as number))) continue
    try {
      const stream: AnyStream = each.raw ? each.stream : standardDestinationOrSelf(each.stream)
      let result: unknown
      if (each.raw) {
        mustRedact ??= line !== undefined && needsRedaction(record, line, json)
        result = stream.write(mustRedact ? redactedRecord(line!, record) : record)
      } else if (isStreamOfThisPackage(stream)) result = stream.writeRecord(line!, severityOfPinoLevel(level))
      else result = stream.write(line)
      if (typeof result === 'object') hookFailures.observeIfPromise('stream.write', result, lineNotWritten)
    } catch (error) {
      hookFailures.reportThrow('stream.write', error, lineNotWritten)
    }
  }
  return line
}

function receivesLines({ raw }: OpenStream): boolean {
  return !raw
}

/** Returns a redacted record for a raw stream, parsed from its line. A `time` that is a Date stays a Date, unless a rule redacts it. */
function redactedRecord(line: string, { time }: BunyanRecord): object {
  const record = JSON.parse(line) as Record<string, unknown>
  const isShown = types.isDate(time) && record['time'] === new Date(time).toJSON()
  return isShown ? { ...record, time } : record
}
