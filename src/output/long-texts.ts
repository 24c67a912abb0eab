import { truncate } from '../encode/json/quote.ts'
import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import { DerivedRecord, noChanges } from '../read/formats/derived-record.ts'
import type { ReadRecord } from '../read/record.ts'
import type { TextWriter } from './text-writer.ts'

/** The minimum length of a line whose long texts are written in pieces, because a line of output would be another copy of each. */
const minLineLength = 1_048_576
/** The minimum length of a text that is written in pieces, and of a piece, in UTF-16 units. */
const pieceLength = 65_536
/** The depth to which texts are searched in attributes. */
const maxDepth = 16
/**
 * Marks texts while a line is formatted. No data can contain it, because it is random. With the comma and the space, every format writes
 * the value in quotes.
 */
let randomMark: string | undefined

/** Returns whether a line of text is so long that it is written in pieces. */
export function isLongText(line: string): boolean {
  return line.length >= minLineLength
}

/**
 * Writes a record in pieces if it has long texts.
 *
 * @param format - returns the text of a record with other values of its long texts
 * @param attributesOf - returns the attributes whose long texts are written in pieces; undefined to use the attributes unchanged
 * @returns whether the record was written
 */
export function writeLongRecord(
  writer: TextWriter,
  record: ReadRecord,
  format: (record: ReadRecord) => string,
  attributesOf: (record: ReadRecord) => AnyValueMap | undefined = ({ attributes }) => attributes,
): boolean {
  if (record.raw.length < minLineLength) return false
  const texts: string[] = []
  const attributes = attributesOf(record)
  withTexts(record, attributes, (text) => {
    texts.push(text)
    return text
  })
  if (texts.length === 0) return false
  writeInPieces(writer, texts, (values) => {
    let index = 0
    return format(withTexts(record, attributes, () => values[index++]!))
  })
  return true
}

/**
 * Writes a line in pieces, without a copy of the whole line.
 *
 * @param texts - the long texts of the line
 * @param format - returns the line with other texts
 */
export function writeInPieces(
  writer: TextWriter,
  texts: readonly string[],
  format: (texts: readonly string[]) => string,
): void {
  // Loading this module would take 6 ms at each start.
  const mark = (randomMark ??= `LONG-TEXT-${process.getBuiltinModule('node:crypto').randomUUID()}, `)
  const frame = format(texts.map((_, index) => `${mark}${index};`))
  const [start, ...rest] = frame.split(mark)
  writer.write(start!)
  // Each piece is formatted with the rest of the line, so a longer rest needs longer pieces.
  const length = Math.max(pieceLength, frame.length)
  for (const part of rest) {
    const end = part.indexOf(';')
    const index = Number(part.slice(0, end))
    for (const piece of piecesOf(texts[index]!, length)) {
      const line = format(texts.map((_, other) => (other === index ? mark + piece + mark : '')))
      writer.write(line.split(mark, 2)[1] ?? '')
    }
    writer.write(part.slice(end + 1))
  }
}

function* piecesOf(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length;) {
    // A surrogate pair stays in one piece.
    const piece = truncate(text.slice(start, start + length), length)
    yield piece
    start += piece.length
  }
}

/** Returns a record with other long texts. They are replaced in an order that is always the same. */
function withTexts(
  record: ReadRecord,
  attributes: AnyValueMap | undefined,
  replace: (text: string) => string,
): ReadRecord {
  const { message } = record
  return new DerivedRecord(record, {
    ...noChanges,
    message: message !== undefined && message.length >= pieceLength ? replace(message) : undefined,
    attributes: attributes === undefined ? undefined : (replaced(attributes, replace, 0) as AnyValueMap),
  })
}

function replaced(value: AnyValue, replace: (text: string) => string, depth: number): AnyValue {
  if (typeof value === 'string') return value.length < pieceLength ? value : replace(value)
  if (depth >= maxDepth) return value
  if (value instanceof Map)
    return new Map(Array.from(value as AnyValueMap, ([key, item]) => [key, replaced(item, replace, depth + 1)]))
  return Array.isArray(value) ? (value as readonly AnyValue[]).map((item) => replaced(item, replace, depth + 1)) : value
}
