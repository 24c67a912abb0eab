import type { ExplainedRedaction } from '../../../../../src/testing/explain-redaction.ts'
import type { RedactedRows, RedactedValue } from '../messages.ts'

/** The maximum length of a path, a rule or a replacement, in UTF-16 units. */
const maxTextLength = 1_000

/** Returns the first redacted values as text, and the number of the others. */
export function redactedRows(values: readonly ExplainedRedaction[], maxRows: number): RedactedRows {
  const rows: RedactedValue[] = []
  // A program can replace the methods of arrays.
  for (let index = 0; index < values.length && index < maxRows; index++) rows[index] = rowOf(values[index]!)
  return { rows, hidden: values.length - rows.length }
}

function rowOf({ path, rule, replacement }: ExplainedRedaction): RedactedValue {
  const text = typeof replacement === 'string' || replacement === undefined ? replacement : JSON.stringify(replacement)
  return { path: cut(path), rule: cut(rule), replacement: text === undefined ? undefined : cut(text) }
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
}
