import { RecordReader, type RecordReaderOptions } from '../../../src/read/lines/record-reader.ts'
import type { ReadRecord, RecordOrigin } from '../../../src/read/record.ts'
import { propertyNames } from '../property-names.ts'

/** What a reader gave out, in order: a record, or a line of text. */
export type Item =
  | { readonly record: ReadRecord; readonly raw: Buffer; readonly origin: RecordOrigin }
  | { readonly record: undefined; readonly raw: Buffer; readonly origin: RecordOrigin }

/**
 * Reads bytes as chunks that end at the given numbers of lines, and returns what was read. With `reuseBuffer`, the bytes of a chunk are
 * overwritten after it was read.
 */
export function readBytes(
  input: string | Uint8Array,
  options: Partial<RecordReaderOptions> = {},
  lineCounts: readonly number[] = [],
): Item[] {
  const bytes = Buffer.from(input)
  const items: Item[] = []
  const kept = (record: ReadRecord): ReadRecord => (options.reuseBuffer === true ? copyOf(record) : record)
  const reader = new RecordReader({
    file: 'app.log',
    ...options,
    sink: {
      record: (record) => items.push({ record: kept(record), raw: Buffer.from(record.raw), origin: record.origin }),
      text: (text, origin) => items.push({ record: undefined, raw: Buffer.from(text), origin }),
    },
  })
  let start = 0
  let firstLine = 1
  for (const count of lineCounts) {
    let end = start
    for (let line = 0; line < count && end < bytes.length; line++) end = endOfLine(bytes, end)
    if (end === start) continue
    const chunk = chunkOf(bytes, start, end)
    reader.read({ bytes: chunk, firstLine, offset: start, isEnd: false })
    if (options.reuseBuffer === true) chunk.fill('#')
    firstLine += count
    start = end
  }
  reader.read({ bytes: chunkOf(bytes, start, bytes.length), firstLine, offset: start, isEnd: true })
  return items
}

/** Returns the records that were read. */
export function recordsIn(input: string | Uint8Array, options?: Partial<RecordReaderOptions>): ReadRecord[] {
  return readBytes(input, options).flatMap(({ record }) => record ?? [])
}

/** Returns the only record that was read of a line. Throws if there is not exactly one. */
export function recordIn(line: string | Uint8Array, options?: Partial<RecordReaderOptions>): ReadRecord {
  const items = readBytes(line, options)
  const [item] = items
  if (items.length !== 1 || item?.record === undefined) throw new Error(`read ${JSON.stringify(items.map(textOf))}`)
  return item.record
}

/** Returns the text of an item. */
export function textOf({ raw }: Item): string {
  return raw.toString('utf8')
}

/** Returns a copy that does not depend on the bytes of the line. */
function copyOf(record: ReadRecord): ReadRecord {
  return Object.fromEntries(propertyNames.map((name) => [name, record[name]])) as unknown as ReadRecord
}

/** A copy, so that a chunk is not next to the one before it in memory. */
function chunkOf(bytes: Buffer, start: number, end: number): Buffer {
  return Buffer.from(bytes.subarray(start, end))
}

function endOfLine(bytes: Buffer, start: number): number {
  const newline = bytes.indexOf(10, start)
  return newline < 0 ? bytes.length : newline + 1
}
