import type { Line, Subject } from '../../subjects/subject.ts'
import type { RecordCheck } from './service.ts'

const mostProblems = 3
const lineFeed = 10
/** The maximum age of a line, in ms. */
const oldest = 600_000

export interface ExpectedCounts {
  /** The number of logged records. Undefined if only requests are counted. */
  readonly records: number | undefined
  readonly answered: number
  readonly cutOff: number
}

/** Checks that the file has a line for each record, each line has the expected content, and all lines match the responses. */
export function checkLog(bytes: Buffer, subject: Subject, check: RecordCheck, due: ExpectedCounts): string[] {
  const problems: string[] = []
  let lines = 0
  let start = 0
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
    const problem = problemOf(bytes.toString('utf8', start, end), subject, check)
    if (problem !== undefined && problems.length < mostProblems) problems.push(`line ${lines + 1}: ${problem}`)
    lines++
    start = end + 1
  }
  if (start < bytes.length) problems.push('the last line has no line feed')
  if (due.records !== undefined && lines !== due.records) problems.push(`${lines} lines for ${due.records} records`)
  return [...problems, ...check.finish(due.answered, due.cutOff)]
}

function problemOf(text: string, subject: Subject, check: RecordCheck): string | undefined {
  let line: Line
  try {
    line = subject.readText?.(text) ?? subject.read(JSON.parse(text) as Readonly<Record<string, unknown>>)
  } catch {
    return `cannot be read: ${text.slice(0, 80)}`
  }
  if (!(Math.abs(Date.now() - line.time) < oldest)) return `the time is ${line.time}`
  if (line.level !== 'info') return `the level is ${line.level}`
  return check.checkLine(line)
}
