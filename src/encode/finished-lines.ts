import type { LogRecord } from '../record/record.ts'
import type { EncodedRecord, Encoding, Format } from './encoding.ts'

let made = 0

/**
 * Lines that somebody else has put together: the body of a record and a line end, and nothing more. The rules must have held
 * for every value before it came into that text, since none is known here any more.
 *
 * @param notice - the line of a record that is an event of our own, such as a loss
 */
export function finishedLines(eol: string, notice: (record: LogRecord) => string): Encoding {
  const encode = ({ body, eventName }: LogRecord, record: LogRecord) =>
    ((eventName === undefined ? String(body) : notice(record)) + eol) as EncodedRecord
  // A key of its own: what `notice` writes is known to nobody else.
  const format: Format = {
    key: `finishedLines:${++made}`,
    encoder: () => ({ encode: (record) => encode(record, record) }),
  }
  return format
}
