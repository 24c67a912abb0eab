import type { LogRecord } from '../../../../../src/record/record.ts'
import type { Redact } from '../../../../../src/redact/redact.ts'
import { explainRedaction, type ExplainedRedaction } from '../../../../../src/testing/explain-redaction.ts'
import { plainMessageOf } from './plain-text.ts'

/**
 * Returns the redacted values of a log call: of its message, its attributes, its exception and its other arguments. Attributes that a logger
 * has bound are not explained: a record has only what was left of them.
 */
export function explainRecord(redact: Redact | undefined, record: LogRecord): ExplainedRedaction[] {
  const { attributes, exception, extraArguments } = record
  const explain = (value: object | string | undefined) => (value === undefined ? [] : explainRedaction(redact, value))
  return [
    ...explain(plainMessageOf(record)),
    ...explain(attributes),
    // The message of an exception without a message of the record is in the first part.
    ...explain(exception === undefined ? undefined : { err: exception }).filter(({ path }) => path !== '(message)'),
    ...explain(extraArguments && { args: extraArguments }),
  ]
}
