import { counted } from './counted.ts'
import type { RecordEntry, RedactedRows } from './messages.ts'
import type { RunOutput } from './run-output.ts'

/** A view of the output. */
export type OutputView = 'pretty' | 'json' | 'otlpJson' | 'redaction'

/** Returns JSON with indentation; text that is not JSON, such as JSON that was cut, as it is. */
export function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** The redacted values of a record. */
export interface RedactedRecord {
  /** The number and the message of the record. */
  readonly title: string
  readonly redacted: RedactedRows
}

/** Returns the records with redacted values. */
export function redactedRecordsOf({ entries }: RunOutput): RedactedRecord[] {
  return entries
    .filter((entry) => entry.kind === 'record')
    .map((record, index) => ({
      title: `${index + 1}: ${messageOf(record)}`,
      redacted: record.redacted ?? { rows: [], hidden: 0 },
    }))
    .filter(({ redacted: { rows, hidden } }) => rows.length + hidden > 0)
}

/** Returns the number of records whose redacted values are unknown, because explaining them would take too long. */
export function unexplainedRecordsIn({ entries }: RunOutput): number {
  return entries.filter((entry) => entry.kind === 'record' && entry.redacted === undefined).length
}

/** Returns the message of a record, which is shortened. */
function messageOf({ texts }: RecordEntry): string {
  let message: unknown
  try {
    ;({ message } = JSON.parse(texts.sluice) as { readonly message?: unknown })
  } catch {
    // The text was cut.
  }
  const text = typeof message === 'string' ? message : 'no message'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Returns a sentence about the state of a run. */
export function statusOf({ entries, errors, isRunning }: RunOutput): string {
  if (isRunning) return 'Running…'
  const [error] = errors
  if (error !== undefined) return error.line === undefined ? 'Error' : `Error in line ${error.line}`
  const records = entries.filter(({ kind }) => kind === 'record').length
  const lines = entries.length - records
  const parts = [counted(records, 'record')]
  if (lines > 0) parts.push(counted(lines, 'line of the console', 'lines of the console'))
  return parts.join(', ')
}
