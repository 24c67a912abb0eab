import type { FilterCounter, HandledRecord, Handler, HandlerHost } from '../handler/handler.ts'
import { suppressedByKey, suppressedKey } from './summary.ts'

/** Where the count of suppressed records comes from, and where a kept record goes. */
export interface KeptRecordSettings {
  readonly host: HandlerHost
  readonly next: Handler
  /** The name of the handler. */
  readonly reason: string
}

/**
 * Passes on a kept record with the number of suppressed records, which is then no longer counted. If a later handler suppresses the record,
 * or another handler has already passed it on or added its number, the number remains for another report.
 */
export function passOnWithCount(
  record: HandledRecord,
  counter: FilterCounter,
  { host, next, reason }: KeptRecordSettings,
): void {
  const { attributes } = record
  const { count } = counter
  if (host.isPassedOn(record) || !addSuppressed(record, count, reason)) return next.handle(record)
  // Records that are logged while this one is encoded are counted, and may report the count, too.
  counter.count = 0
  try {
    return next.handle(record)
  } finally {
    if (!host.isPassedOn(record)) {
      record.attributes = attributes
      counter.count += count
    }
  }
}

/**
 * Adds the number of suppressed records to the attributes of a kept record. Returns false if that is not possible: the record has a number
 * of another handler, or a copy of an object that decides itself what is logged of it, for example with `toJSON`, would have members that
 * it hides.
 */
function addSuppressed(record: HandledRecord, count: number, reason: string): boolean {
  const { attributes } = record as { readonly attributes: object | undefined }
  const prototype: unknown = attributes === undefined ? null : Object.getPrototypeOf(attributes)
  if (attributes !== undefined && (Object.hasOwn(attributes, 'toJSON') || Object.hasOwn(attributes, suppressedKey)))
    return false
  if (prototype === Map.prototype) {
    const entries = attributes as unknown as Map<unknown, unknown>
    if (entries.has(suppressedKey)) return false
    const counted = new Map<unknown, unknown>([[suppressedKey, count], [suppressedByKey, reason], ...entries])
    record.attributes = counted as unknown as Record<string, unknown>
    return true
  }
  if (prototype !== Object.prototype && prototype !== null) return false
  // First, because a limit on the number of attributes drops the last ones.
  record.attributes = { [suppressedKey]: count, [suppressedByKey]: reason, ...attributes }
  return true
}
