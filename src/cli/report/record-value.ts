import type { AnyValue } from '../../record/any-value.ts'
import { keyGetter } from '../../read/query/key-lookup.ts'
import type { ReadRecord } from '../../read/record.ts'

/** Returns the value of a record that is grouped or measured; undefined if the record does not have it. */
export type RecordValue = (record: ReadRecord) => AnyValue | undefined

/** Returns the function that finds a key in records, as in a query: a part of the record such as `level`, or an attribute. */
export function recordValue(key: string): RecordValue {
  return keyGetter(key.split('.'))
}

/** Returns a value as a number; undefined if it is not one. Text is a number if it has the form of one, as in logfmt. */
export function numberOf(value: AnyValue | undefined): number | undefined {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'bigint' || (typeof value === 'string' && numberForm.test(value))
        ? Number(value)
        : NaN
  return Number.isFinite(number) ? number : undefined
}

const numberForm = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,4})?$/i

/** The longest text of a group, in UTF-16 units. */
const maxTextLength = 200

/** Returns a value as the text that names its group; undefined if it is missing. */
export function groupText(value: AnyValue | undefined): string | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'string' ? value : typeof value === 'object' ? objectText(value) : String(value)
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
}

function objectText(value: object | null): string {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `[${value.length} bytes]`
  return Array.isArray(value) ? `[Array: ${value.length} items]` : '[Object]'
}
