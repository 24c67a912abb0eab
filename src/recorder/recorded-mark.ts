import type { LogRecord } from '../record/record.ts'

/** The attribute of records that were held before they were written. */
const recordedAttribute = 'sluice.recorded'
const onlyRecordedAttribute: object = Object.freeze({ [recordedAttribute]: true })

/**
 * Adds the attribute that marks a record as held. It is added to the attributes from baggage, which are plain data: those that `enrich`
 * returns may have getters, which must run only once.
 */
export function markAsRecorded(record: LogRecord): void {
  const { baggageAttributes } = record
  record.baggageAttributes =
    baggageAttributes === undefined ? onlyRecordedAttribute : { ...baggageAttributes, [recordedAttribute]: true }
}
