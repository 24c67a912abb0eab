import { isDeepStrictEqual } from 'node:util'
import type { Job } from '../methods/method.ts'
import { scenarios } from '../scenarios/index.ts'
import type { Expected, Lines } from '../scenarios/lines.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { subjects } from '../subjects/index.ts'
import type { Line, Subject } from '../subjects/subject.ts'

/** The result of checking the bytes that arrived. */
export interface Verdict {
  /** The bytes of the timed records. */
  readonly bytes: number
  readonly lines: number
  /** Empty if each record arrived once, and the timed records are complete, in order, and have the expected content. */
  readonly problems: readonly string[]
}

const mostProblems = 3
/** One of this many warm-up lines is parsed, because parsing all of them would take as long as the fastest runs. */
const warmUpStep = 16
/** The maximum length of a problem in characters, because a line can have a megabyte. */
const longestProblem = 200
const lineFeed = 10
/** The maximum age of a line, in ms. */
const oldest = 600_000

/** Returns the lines that a job is expected to write. */
export function linesOf({ scenario, variant, records }: Job): Lines {
  const { variants }: Scenario = scenarios[scenario]
  const lines = variants[variant]!
  if (!('warmUp' in lines)) throw new Error(`the scenario ${scenario} has no numbered lines`)
  return records === undefined ? lines : { ...lines, records }
}

export async function checkLines(bytes: Buffer, job: Job): Promise<Verdict> {
  const { warmUp, records, expected } = linesOf(job)
  const subject: Subject = await subjects[job.subject]()
  const count = expected === undefined ? 0 : warmUp + records
  const problems: string[] = []
  let lines = 0
  let start = 0
  let timedFrom = 0
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
    if (lines === warmUp) timedFrom = start
    const isRead = lines < count && (lines >= warmUp || lines % warmUpStep === 0)
    const problem = isRead ? problemOf(bytes.toString('utf8', start, end), expected!(lines), subject) : undefined
    if (problem !== undefined && problems.length < mostProblems)
      problems.push(`line ${lines + 1}: ${shortened(problem)}`)
    lines++
    start = end + 1
  }
  if (start < bytes.length) problems.push('the last line has no line feed')
  if (lines !== count) problems.push(`${lines} lines for ${count} records`)
  return { bytes: bytes.length - timedFrom, lines, problems }
}

/** Returns what is wrong with a line. Detects a wrong order, because a record has its number, or one of many messages. */
function problemOf(text: string, expected: Expected, subject: Subject): string | undefined {
  let line: Line
  try {
    line = subject.readText?.(text) ?? subject.read(JSON.parse(text) as Readonly<Record<string, unknown>>)
  } catch {
    return `cannot be read: ${text.slice(0, 80)}`
  }
  const { time, level, message, attributes } = line
  if (!(Math.abs(Date.now() - time) < oldest)) return `the time is ${time}`
  if (level !== 'info') return `the level is ${level}`
  if (message !== expected.message) return `the message is ${JSON.stringify(message)}`
  if (!isDeepStrictEqual(attributes, expected.attributes)) return `the attributes are ${JSON.stringify(attributes)}`
  return problemOfError(line.error, expected.error) ?? problemOfTrace(line.trace, expected.trace)
}

function problemOfError(error: Line['error'], expected: Error | undefined): string | undefined {
  const due = expected && { type: expected.name, message: expected.message, stack: expected.stack }
  return isDeepStrictEqual(error, due) ? undefined : `the error is ${JSON.stringify(error)}`
}

function problemOfTrace(trace: Line['trace'], expected: Expected['trace']): string | undefined {
  return isDeepStrictEqual(trace, expected) ? undefined : `the span is ${JSON.stringify(trace)}`
}

const shortened = (problem: string): string =>
  problem.length > longestProblem ? `${problem.slice(0, longestProblem)}…` : problem
