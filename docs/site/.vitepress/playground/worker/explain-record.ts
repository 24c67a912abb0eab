import type { LogRecord } from '../../../../../src/record/record.ts'
import type { Redact } from '../../../../../src/redact/redact.ts'
import { explainRedaction, type ExplainedRedaction } from '../../../../../src/testing/explain-redaction.ts'
import type { RedactedValue } from '../messages.ts'
import { plainMessageOf } from './plain-text.ts'

/** Returns the redacted values of a log call: of its message, its attributes and its exception. */
export function explainRecord(redact: Redact | undefined, record: LogRecord): RedactedValue[] {
  const { attributes, exception } = record
  const message = plainMessageOf(record)
  const values = exception === undefined ? attributes : { err: exception, ...attributes }
  return [message, values]
    .flatMap((value) => (value === undefined ? [] : explainRedaction(redact, value)))
    .map(withReplacementText)
}

/** Converts the replacement to text. */
export function withReplacementText({ path, rule, replacement }: ExplainedRedaction): RedactedValue {
  const text = typeof replacement === 'string' || replacement === undefined ? replacement : JSON.stringify(replacement)
  return { path, rule, replacement: text }
}
