import type { Envelope } from '../envelopes/envelope.ts'
import type { TextRecord } from '../formats/text-record.ts'
import type { ReadRecord } from '../record.ts'
import { DerivedRecord, noChanges } from '../formats/derived-record.ts'

/** The values that the envelopes of a line contain. */
export interface EnvelopeContext {
  readonly container: string | undefined
  readonly isApplication: boolean
  readonly stream: string | undefined
  readonly time: Envelope['time']
  /** The record, without its message, if the line inside has no known format. */
  readonly textRecord: TextRecord | undefined
}

/** The context of a line without an envelope. */
export const noEnvelope: EnvelopeContext = {
  container: undefined,
  isApplication: false,
  stream: undefined,
  time: undefined,
  textRecord: undefined,
}

/** Returns the context inside one more envelope. The innermost envelope has the values closest to the program. */
export function insideEnvelope(context: EnvelopeContext, envelope: Envelope): EnvelopeContext {
  return {
    container: envelope.container ?? context.container,
    isApplication: envelope.container === undefined ? context.isApplication : isApplicationFormat(envelope),
    stream: envelope.stream ?? context.stream,
    time: envelope.time ?? context.time,
    textRecord: envelope.textRecord ?? context.textRecord,
  }
}

/** Returns whether the container of an envelope is the application of syslog, or a unit of the journal. */
function isApplicationFormat({ textRecord }: Envelope): boolean {
  return textRecord !== undefined && textRecord.format !== 'text'
}

/** Returns a record with the time, the level and the resource of its envelopes, where the line itself does not have them. */
export function withEnvelope(record: ReadRecord, { time, textRecord }: EnvelopeContext): ReadRecord {
  const isOwn = record.format === textRecord?.format
  const addsTime = record.time === undefined && time !== undefined
  const addsLevel =
    record.severityNumber === 0 && record.level === '' && textRecord !== undefined && textRecord.severityNumber > 0
  const addsResource = textRecord !== undefined && textRecord.resource.size > 0 && !isOwn
  if (!addsTime && !addsLevel && !addsResource) return record
  return new DerivedRecord(record, {
    ...noChanges,
    ...(addsTime ? { time: time.time, timeUnixNano: time.timeUnixNano } : undefined),
    ...(addsResource ? { resource: textRecord.resource } : undefined),
    ...(addsLevel ? { severityNumber: textRecord.severityNumber, level: textRecord.level } : undefined),
  })
}
