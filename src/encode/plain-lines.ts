import type { LogRecord } from '../record/record.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import type { Rules } from '../values/record-rules.ts'
import type { EncodedRecord, Encoding, Format, RecordEncoder } from './encoding.ts'

/**
 * Creates an encoding that writes only the message, for text that is already formatted. Of the rules, only redaction patterns apply. The
 * message gets a line end if it has none, and that of an event begins with `sluice: `. A message that is not a string is an empty line.
 */
export function plainLines(): Encoding {
  const format: Format = {
    key: 'plain',
    target: undefined,
    encoder: ({ redaction }: Rules) => new PlainEncoder(redaction.patterns),
  }
  return format
}

class PlainEncoder implements RecordEncoder {
  private readonly patterns: TextPatterns | undefined

  constructor(patterns: TextPatterns | undefined) {
    this.patterns = patterns
  }

  encode({ body, eventName }: LogRecord): EncodedRecord {
    const message = typeof body === 'string' ? body : ''
    // An event, such as a drop report, is a record of this package, so the line is marked as such.
    const text = eventName === undefined ? message : `sluice: ${message}`
    const redacted = this.patterns === undefined ? text : this.patterns.redact(text)
    return (redacted.endsWith('\n') ? redacted : redacted + '\n') as EncodedRecord
  }
}
