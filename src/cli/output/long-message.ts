import { randomUUID } from 'node:crypto'
import { truncate } from '../../encode/json/quote.ts'
import { DerivedRecord, noChanges } from '../../read/formats/derived-record.ts'
import type { ReadRecord } from '../../read/record.ts'
import type { TextWriter } from '../terminal/text-writer.ts'

/** Messages of this length in UTF-16 units are written in pieces, because a line that contains one would be another copy of it. */
const minLength = 1_048_576
const pieceLength = 65_536
/** Represents the message while its record is formatted. No data can contain it, because it is random. */
const placeholder: string = `LONG-MESSAGE-${randomUUID()}`

/** Returns whether the message of a record is so long that it is written in pieces. */
export function hasLongMessage({ raw, message }: ReadRecord): boolean {
  return raw.length >= minLength && message !== undefined && message.length >= minLength
}

/**
 * Formats a record with a long message, and writes it with the message in pieces.
 *
 * @param format - returns the text of a record with another message, which contains that message once
 * @param escape - escapes a piece of the message as the format needs it
 */
export function writeLongMessage(
  writer: TextWriter,
  record: ReadRecord,
  format: (record: ReadRecord) => string,
  escape: (piece: string) => string,
): void {
  const { message = '' } = record
  const text = format(new DerivedRecord(record, { ...noChanges, message: placeholder }))
  const at = text.indexOf(placeholder)
  // A format can hide the message.
  if (at < 0) return writer.write(text)
  writer.write(text.slice(0, at))
  for (let start = 0; start < message.length;) {
    // A surrogate pair stays in one piece.
    const piece = truncate(message.slice(start, start + pieceLength), pieceLength)
    writer.write(escape(piece))
    start += piece.length
  }
  writer.write(text.slice(at + placeholder.length))
}
