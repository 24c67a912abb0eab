import { lineStream } from '../shared/destination/standard-destination.ts'
import { isRedacted } from '../shared/hidden-secrets.ts'
import { takesSeverity } from '../shared/severity-stream.ts'
import { severityOfPinoLevel } from '../../record/severity-maps.ts'
import { notTaken } from '../shared/hook-failures.ts'
import type { Instance } from './instance.ts'
import type { AnyStream, OpenStream } from './open-stream.ts'
import type { BunyanRecord } from './record.ts'

const eol = process.platform === 'win32' ? '\r\n' : '\n'

/** The line of a record. */
export function lineOf({ parts }: Instance, record: BunyanRecord): string {
  return parts.json.record(record) + eol
}

/** Writes a record of a level to the streams that take it. Returns its line, where any of them needs it. Never throws. */
export function writeRecord(logger: Instance, record: BunyanRecord, level: number): string | undefined {
  const { parts, streams } = logger
  const { json, hookFailures } = parts
  const needsLine = json.redaction !== undefined || streams.some(isOfLines)
  const line = needsLine ? lineOf(logger, record) : undefined
  let isChanged: boolean | undefined
  for (const each of streams) {
    // A call may say a level of its own, and a stream that would take either takes it.
    if (each.level > level && !(each.level <= (record.level as number))) continue
    try {
      const stream: AnyStream = each.raw ? each.stream : lineStream(each.stream)
      let answer: unknown
      if (each.raw) {
        isChanged ??= line !== undefined && isRedacted(record, line, json)
        answer = stream.write(isChanged ? redacted(line!, record) : record)
      } else if (takesSeverity(stream)) answer = stream.writeRecord(line!, severityOfPinoLevel(level))
      else answer = stream.write(line)
      if (typeof answer === 'object') hookFailures.observe('stream.write', answer, notTaken)
    } catch (error) {
      hookFailures.threw('stream.write', error, notTaken)
    }
  }
  return line
}

function isOfLines({ raw }: OpenStream): boolean {
  return !raw
}

/** A record for a raw stream, of what its line says. */
function redacted(line: string, { time }: BunyanRecord): object {
  const record = JSON.parse(line) as Record<string, unknown>
  return Object.hasOwn(record, 'time') && time instanceof Date ? { ...record, time } : record
}
