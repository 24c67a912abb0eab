import type { LogRecord } from '../record/record.ts'
import { thrownMarker } from '../values/thrown-marker.ts'

/** The attribute of records that were held before they were written. */
const recordedAttribute = 'sluice.recorded'
const onlyRecordedAttribute: object = Object.freeze({ [recordedAttribute]: true })

/** Adds the attribute that marks a record as held. */
export function markAsRecorded(record: LogRecord): void {
  const { enrichedAttributes } = record
  record.enrichedAttributes =
    enrichedAttributes === undefined ? onlyRecordedAttribute : withRecordedAttribute(enrichedAttributes)
}

function withRecordedAttribute(attributes: object): object {
  try {
    return { ...attributes, [recordedAttribute]: true }
  } catch (error) {
    return { enrich: thrownMarker(error), [recordedAttribute]: true } // A getter that throws.
  }
}
