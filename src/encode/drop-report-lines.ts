import type { LogRecord } from '../record/record.ts'
import type { EncodedRecord, Encoding, Format } from './encoding.ts'

let formatCount = 0

/**
 * Creates an encoding for the package's own records, such as drop reports, on a pipeline whose other lines are already finished
 * (`finishedText`).
 *
 * @param renderLine - renders such a record as a line with its line end
 */
export function dropReportLines(renderLine: (record: LogRecord) => string): Encoding {
  // The key is unique because no other encoding is known to write the same text as `renderLine`.
  const format: Format = {
    key: `noticeLines:${++formatCount}`,
    target: undefined,
    encoder: () => ({ encode: (record) => renderLine(record) as EncodedRecord }),
  }
  return format
}
