import type { HandledRecord, NewRecord, RecordOrigin } from '../handler/handler.ts'

/** The attribute of kept records and of summaries with the number of records that were suppressed before. */
export const suppressedKey = 'sluice.suppressed'
/** The attribute with the name of the handler that suppressed them. */
export const suppressedByKey = 'sluice.suppressed_by'
/** The name of the event of summaries. */
export const summaryEvent = 'sluice.records_suppressed'

const numberFormat = new Intl.NumberFormat('en-US')
/** The length at which messages are cut in a summary, in UTF-16 units. */
const maxMessageLength = 200

/** Suppressed records that are reported together. */
export interface Suppression {
  /** The name of the handler, which is also the reason for which the records count as filtered. */
  readonly reason: string
  readonly count: number
  /** How long the records were counted, in ms. */
  readonly durationMillis: number
  /** The template that the records have in common; undefined if they can have different ones. */
  readonly message: string | undefined
  readonly origin: RecordOrigin
}

/** Creates a record that reports suppressed records. */
export function summaryRecord({ reason, count, durationMillis, message, origin }: Suppression): NewRecord {
  const times = `${numberFormat.format(count)} ${count === 1 ? 'time' : 'times'}`
  const records = `${numberFormat.format(count)} ${count === 1 ? 'record' : 'records'}`
  const text = message === undefined ? `suppressed ${records}` : `repeated ${times}`
  const suffix = message === undefined ? '' : `: ${shortened(message)}`
  return {
    body: `${text} in ${(durationMillis / 1000).toFixed(1)} s${suffix}`,
    // The attributes of the summary are not those of the suppressed records.
    keepsBraces: true,
    eventName: summaryEvent,
    attributes: { [suppressedKey]: count, [suppressedByKey]: reason, 'sluice.duration_ms': durationMillis },
    origin,
  }
}

/** Returns whether a record reports suppressed records. Handlers keep these records, because each number is reported only once. */
export function isSummary({ eventName }: HandledRecord): boolean {
  return eventName === summaryEvent
}

function shortened(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}…`
}
