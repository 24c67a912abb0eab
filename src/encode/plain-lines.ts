import type { LogRecord } from '../record/record.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import type { Rules } from '../values/record-rules.ts'
import type { EncodedRecord, Encoding, Format, RecordEncoder } from './encoding.ts'

/**
 * The message and nothing else, as it is: for text that somebody has formatted already. Of the rules, patterns hold; no limit
 * does. A message that is not text says nothing.
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
    const said = typeof body === 'string' ? body : ''
    // A notice of losses is nobody else's text.
    const text = eventName === undefined ? said : `sluice: ${said}`
    const redacted = this.patterns === undefined ? text : this.patterns.redacted(text)
    return (redacted.endsWith('\n') ? redacted : redacted + '\n') as EncodedRecord
  }
}
