import type { HandledRecord, NewRecord, RecordOrigin } from '../handler/handler.ts'

/** The attribute of kept records and of summaries with the number of records that were suppressed before. */
export const suppressedKey = 'sluice.suppressed'

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
    eventName: 'sluice.records_suppressed',
    attributes: { [suppressedKey]: count, 'sluice.suppressed_by': reason, 'sluice.duration_ms': durationMillis },
    origin,
  }
}

/**
 * Adds the number of suppressed records to the attributes of a kept record. Returns false if that is not possible: a copy of an object that
 * decides itself what is logged of it, for example with `toJSON`, would have members that it hides.
 */
export function addSuppressed(record: HandledRecord, count: number): boolean {
  const { attributes } = record as { readonly attributes: object | undefined }
  const prototype: unknown = attributes === undefined ? null : Object.getPrototypeOf(attributes)
  if (attributes !== undefined && Object.hasOwn(attributes, 'toJSON')) return false
  if (prototype === Map.prototype) {
    const entries = new Map([...(attributes as Map<unknown, unknown>), [suppressedKey, count]])
    record.attributes = entries as unknown as Record<string, unknown>
    return true
  }
  if (prototype !== Object.prototype && prototype !== null) return false
  record.attributes = { ...attributes, [suppressedKey]: count }
  return true
}

function shortened(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}…`
}
