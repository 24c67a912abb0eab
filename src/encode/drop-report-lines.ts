import type { LogRecord } from '../record/record.ts'
import type { EncodedRecord, Encoding, Format } from './encoding.ts'

let made = 0

/**
 * Lines of our own notices, such as one that tells losses, where all others are finished by somebody else (`finishedText`).
 *
 * @param notice - the line of such a record, with its end
 */
export function dropReportLines(notice: (record: LogRecord) => string): Encoding {
  // A key of its own: what `notice` writes is known to nobody else.
  const format: Format = {
    key: `noticeLines:${++made}`,
    target: undefined,
    encoder: () => ({ encode: (record) => notice(record) as EncodedRecord }),
  }
  return format
}
