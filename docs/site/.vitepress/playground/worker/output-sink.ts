import type { ExplainedRedaction } from '../../../../../src/testing/explain-redaction.ts'
import type { RecordEntry, WorkerMessage } from '../messages.ts'
import { redactedRows } from './redacted-rows.ts'

/** How much of a program's output is shown. */
export const outputLimits = {
  records: 500,
  lines: 500,
  errors: 20,
  /** The number of redacted values of all records. */
  redactedRows: 1_000,
  /** The length of one text, in UTF-16 units. */
  textLength: 20_000,
  /** The length of all texts, in UTF-16 units. */
  totalLength: 4_000_000,
}

/** How often the counts of hidden output are sent while a program runs, in records and lines. */
const hiddenBetweenReports = 10_000

/** Sends a program's output to the page, up to the limits, and counts the rest. */
export class OutputSink {
  private readonly send: (message: WorkerMessage) => void
  private readonly shown = { records: 0, lines: 0, errors: 0, redactedRows: 0 }
  private readonly hidden = { records: 0, lines: 0 }
  private totalLength = 0

  constructor(send: (message: WorkerMessage) => void) {
    this.send = send
  }

  /** Returns whether the next record is shown. A record that is not shown is counted, so that it does not have to be encoded. */
  acceptsRecord(): boolean {
    if (this.shown.records < outputLimits.records && this.totalLength < outputLimits.totalLength) return true
    this.countHidden('records')
    return false
  }

  /** @param explained - the redacted values; undefined if they are not explained */
  addRecord(texts: RecordEntry['texts'], explained: readonly ExplainedRedaction[] | undefined): void {
    this.shown.records++
    const redacted = explained && redactedRows(explained, outputLimits.redactedRows - this.shown.redactedRows)
    this.shown.redactedRows += redacted?.rows.length ?? 0
    const cutTexts = Object.entries(texts).map(([format, text]) => [format, this.cut(text)] as const)
    this.send({ kind: 'record', texts: Object.fromEntries(cutTexts) as RecordEntry['texts'], redacted })
  }

  addLine(method: string, text: string): void {
    if (this.shown.lines >= outputLimits.lines || this.totalLength >= outputLimits.totalLength)
      return this.countHidden('lines')
    this.shown.lines++
    this.send({ kind: 'console', method, text: this.cut(text) })
  }

  addError(entry: WorkerMessage & { readonly kind: 'error' }): void {
    if (this.shown.errors++ < outputLimits.errors) this.send(entry)
  }

  /** Sends the counts of hidden output. */
  reportHidden(): void {
    if (this.hidden.records + this.hidden.lines > 0) this.send({ kind: 'hidden', ...this.hidden })
  }

  private countHidden(kind: 'records' | 'lines'): void {
    this.hidden[kind]++
    if ((this.hidden.records + this.hidden.lines) % hiddenBetweenReports === 1) this.reportHidden()
  }

  private cut(text: string): string {
    const { textLength } = outputLimits
    const shown =
      text.length > textLength
        ? `${text.slice(0, textLength)}… (${text.length - textLength} characters are not shown)`
        : text
    this.totalLength += shown.length
    return shown
  }
}
