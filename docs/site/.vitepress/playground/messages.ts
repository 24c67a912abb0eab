import type { LayoutName } from '../../../../src/encode/json/layout-bases.ts'
import type { ExplainedRedaction } from '../../../../src/testing/explain-redaction.ts'

/** The layouts of JSON lines, in the order in which they are listed. */
export const layoutNames: readonly LayoutName[] = ['sluice', 'otel', 'pino', 'gcp', 'ecs', 'datadog']

/** A form in which a record is shown. */
export type OutputFormat = LayoutName | 'pretty' | 'otlpJson'

/** What a worker is started for: to run a program, or to test redaction rules. */
export type WorkerRequest = ProgramRequest | RedactionRequest

export interface ProgramRequest {
  readonly kind: 'program'
  readonly code: string
  /** The width of the terminal, in columns. */
  readonly columns: number
  /** Whether redacted values are explained. This reads the values of records again, so getters run more than once. */
  readonly explainsRedaction: boolean
}

export interface RedactionRequest {
  readonly kind: 'redaction'
  /** The option `redact`, as a JavaScript literal. */
  readonly rules: string
  /** Attributes or the text of a message, as a JavaScript literal. */
  readonly sample: string
}

/** What a worker sends to the page. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  | RecordEntry
  | ConsoleEntry
  | ErrorEntry
  | HiddenCounts
  | { readonly kind: 'end'; readonly pendingTimers: number; readonly isTimedOut: boolean }
  | TestedRedaction

/** Why the page stopped a worker. */
export type StopReason = 'noAnswer' | 'notStarted' | 'timeLimit' | 'tooMuchOutput'

/** A record in each form. */
export interface RecordEntry {
  readonly kind: 'record'
  readonly texts: Readonly<Record<OutputFormat, string>>
  /** The redacted values; undefined if they are not explained. */
  readonly redacted: RedactedRows | undefined
}

/** The redacted values of a record or a sample, up to a limit. */
export interface RedactedRows {
  readonly rows: readonly RedactedValue[]
  /** The number of redacted values that are not in `rows`. */
  readonly hidden: number
}

/** A redacted value whose replacement is text; undefined if the member is omitted. */
export interface RedactedValue extends Omit<ExplainedRedaction, 'replacement'> {
  readonly replacement: string | undefined
}

/** A call of a method of the console. */
export interface ConsoleEntry {
  readonly kind: 'console'
  readonly method: string
  readonly text: string
}

/** An error of a program. Lines and columns start at 1. */
export interface ErrorEntry {
  readonly kind: 'error'
  readonly message: string
  readonly line: number | undefined
  readonly column: number | undefined
}

/** How much output is not shown because there is too much. */
export interface HiddenCounts {
  readonly kind: 'hidden'
  readonly records: number
  readonly lines: number
}

/** The result of a test of redaction rules. */
export interface TestedRedaction {
  readonly kind: 'redaction'
  /** What would be written, as indented JSON; undefined if there are problems. */
  readonly written: string | undefined
  readonly redacted: RedactedRows
  readonly problems: readonly RedactionProblem[]
}

export interface RedactionProblem {
  readonly field: 'rules' | 'sample'
  readonly message: string
}
