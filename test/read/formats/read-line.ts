import type { AnyValue } from '../../../src/record/any-value.ts'
import { readJsonRecords } from '../../../src/read/formats/json.ts'
import type { LineContext } from '../../../src/read/formats/line-context.ts'
import type { ReadRecord } from '../../../src/read/record.ts'

/** Returns what is read from a line. */
export function readLine(
  line: string,
  options: Pick<LineContext, 'input' | 'fieldNames'> = {},
): ReadRecord | readonly ReadRecord[] | undefined {
  const origin = { file: 'app.log', line: 1, container: undefined, stream: undefined }
  return readJsonRecords(line, { origin, raw: Buffer.from(`${line}\n`), ...options })
}

/** Returns the record of a line that has exactly one. */
export function recordOf(line: string | object, options: Pick<LineContext, 'input' | 'fieldNames'> = {}): ReadRecord {
  const read = readLine(typeof line === 'string' ? line : JSON.stringify(line), options)
  if (read === undefined || Array.isArray(read)) throw new Error(`not one record: ${JSON.stringify(line)}`)
  return read as ReadRecord
}

/** Returns a value of the data model with objects in place of maps. */
export function plainValue(value: AnyValue | undefined): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plainValue(item)]))
  return Array.isArray(value) ? value.map((item) => plainValue(item as AnyValue)) : value
}

/** Returns the attributes of a record as an object. */
export function attributesOf(record: ReadRecord): Record<string, unknown> {
  return plainValue(record.attributes) as Record<string, unknown>
}
