import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import type { ReportedLosses } from '../report/reported-losses.ts'
import { LineInspector, type LineProblem, type ProblemKind } from './line-problem.ts'
import type { SequenceCheck } from './sequence-check.ts'

/** The largest number of problems of a file that are listed. */
const maxExamples = 10

/** A problem with its place. */
export interface ProblemExample extends LineProblem {
  readonly line: number
}

/** The checks to which the records of all files contribute. */
export interface SharedChecks {
  readonly losses: ReportedLosses
  readonly sequence: SequenceCheck | undefined
}

/** Checks the lines of one file. */
export class FileCheck {
  readonly file: string
  records = 0
  readonly byFormat: Map<string, number> = new Map()
  readonly problems: Map<ProblemKind, number> = new Map()
  /** The first problems. */
  readonly examples: ProblemExample[] = []
  /** Why the file cannot be read to its end; undefined if it can. */
  unreadable: string | undefined
  private readonly shared: SharedChecks
  private readonly inspector = new LineInspector()
  private lastRaw: Uint8Array | undefined
  private lastProblemLine = 0

  constructor(file: string, shared: SharedChecks) {
    this.file = file
    this.shared = shared
  }

  get problemCount(): number {
    return [...this.problems.values()].reduce((sum, count) => sum + count, 0)
  }

  record(record: ReadRecord): void {
    this.records++
    this.byFormat.set(record.format, (this.byFormat.get(record.format) ?? 0) + 1)
    this.shared.losses.add(record)
    this.shared.sequence?.add(record)
    // The records of one line share its bytes.
    if (record.raw !== this.lastRaw) this.checkLines(record.raw, record.origin.line)
    this.lastRaw = record.raw
  }

  text(bytes: Uint8Array, { line }: RecordOrigin): void {
    if (!isBlank(bytes)) this.addProblem(this.inspector.unknownLine(bytes), line)
  }

  /** Adds the problem that the last line has no newline. */
  addMissingNewline(line: number): void {
    // If the line is only a part of a record, that was reported already, and is more specific.
    if (this.lastProblemLine === line) return
    this.addProblem(
      { kind: 'no newline', column: undefined, reason: 'the last line does not end with a newline' },
      line,
    )
  }

  private checkLines(raw: Uint8Array, firstLine: number): void {
    let line = firstLine
    for (let start = 0; start < raw.length; line++) {
      const newline = raw.indexOf(0x0a, start)
      const end = newline < 0 ? raw.length : newline
      const problem = this.inspector.validLine(raw.subarray(start, end))
      if (problem !== undefined) this.addProblem(problem, line)
      start = end + 1
    }
  }

  private addProblem(problem: LineProblem, line: number): void {
    this.problems.set(problem.kind, (this.problems.get(problem.kind) ?? 0) + 1)
    this.lastProblemLine = line
    if (this.examples.length < maxExamples) this.examples.push({ ...problem, line })
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09)
}
