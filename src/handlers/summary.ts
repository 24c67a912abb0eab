import type { HandledRecord, NewRecord, RecordOrigin } from '../handler/handler.ts'

/** The attribute of kept records and of summaries with the number of records that were suppressed before. */
export const suppressedKey = 'sluice.suppressed'
/** The attribute with the name of the handler that suppressed them. */
export const suppressedByKey = 'sluice.suppressed_by'
/** The name of the event of summaries. */
export const summaryEvent = 'sluice.records_suppressed'

/** The attribute of a summary with the template that the suppressed records have in common. */
const templateKey = 'sluice.template'

const numberFormat = new Intl.NumberFormat('en-US')

/** Suppressed records that are reported together. */
export interface Suppression {
  /** The name of the handler, which is also the reason for which the records count as filtered. */
  readonly reason: string
  readonly count: number
  /** How long the records were counted, in ms. */
  readonly durationMillis: number
  /** Whether the records have the same template or error. */
  readonly isRepetition: boolean
  /** The template that the records have in common; undefined if they can have different ones, or it is not named. */
  readonly template: string | undefined
  readonly origin: RecordOrigin
}

/** Creates a record that reports suppressed records. */
export function summaryRecord(suppression: Suppression): NewRecord {
  const { reason, count, durationMillis, isRepetition, template, origin } = suppression
  const times = `${numberFormat.format(count)} ${count === 1 ? 'time' : 'times'}`
  const records = `${numberFormat.format(count)} ${count === 1 ? 'record' : 'records'}`
  const text = isRepetition ? `repeated ${times}` : `suppressed ${records}`
  // As an attribute, the template is redacted as a text of its own, like the messages of the records.
  const named = template === undefined ? undefined : { [templateKey]: template }
  return {
    body: `${text} in ${(durationMillis / 1000).toFixed(1)} s${template === undefined ? '' : `: {${templateKey}}`}`,
    eventName: summaryEvent,
    attributes: { [suppressedKey]: count, [suppressedByKey]: reason, 'sluice.duration_ms': durationMillis, ...named },
    origin,
  }
}

/** Returns whether a record reports suppressed records. Handlers keep these records, because each number is reported only once. */
export function isSummary({ eventName }: HandledRecord): boolean {
  return eventName === summaryEvent
}
