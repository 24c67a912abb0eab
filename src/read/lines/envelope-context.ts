import type { Envelope } from '../envelopes/envelope.ts'
import type { TextRecord } from '../formats/text-record.ts'
import type { ReadRecord } from '../record.ts'
import { DerivedRecord, noChanges } from '../formats/derived-record.ts'

/** The values that the envelopes of a line contain. */
export interface EnvelopeContext {
  readonly container: string | undefined
  readonly stream: string | undefined
  readonly time: Envelope['time']
  /** The record, without its message, if the line inside has no known format. */
  readonly textRecord: TextRecord | undefined
}

/** The context of a line without an envelope. */
export const noEnvelope: EnvelopeContext = {
  container: undefined,
  stream: undefined,
  time: undefined,
  textRecord: undefined,
}

/** Returns the context inside one more envelope. The innermost envelope has the values closest to the program. */
export function insideEnvelope(context: EnvelopeContext, envelope: Envelope): EnvelopeContext {
  return {
    container: envelope.container ?? context.container,
    stream: envelope.stream ?? context.stream,
    time: envelope.time ?? context.time,
    textRecord: envelope.textRecord ?? context.textRecord,
  }
}

/** Returns a record with the time and the level of its envelopes, if the line itself has no time or no level. */
export function withEnvelope(record: ReadRecord, { time, textRecord }: EnvelopeContext): ReadRecord {
  const addsTime = record.time === undefined && time !== undefined
  const addsLevel =
    record.severityNumber === 0 && record.level === '' && textRecord !== undefined && textRecord.severityNumber > 0
  if (!addsTime && !addsLevel) return record
  return new DerivedRecord(record, {
    ...noChanges,
    ...(addsTime ? { time: time.time, timeUnixNano: time.timeUnixNano } : undefined),
    ...(addsLevel ? { severityNumber: textRecord.severityNumber, level: textRecord.level } : undefined),
  })
}
