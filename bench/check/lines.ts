import { isDeepStrictEqual } from 'node:util'
import type { Job } from '../run/job.ts'
import { scenarios } from '../scenarios/index.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { subjects } from '../subjects/index.ts'
import type { Subject } from '../subjects/subject.ts'

/** What a checker found in the bytes that arrived. */
export interface Verdict {
  /** The bytes of the timed records alone. */
  readonly bytes: number
  readonly lines: number
  /** Empty when each record is there once, whole, in order, and says what it must. */
  readonly problems: readonly string[]
}

const mostProblems = 3
const lineFeed = 10
/** How old a line may be, in ms. */
const oldest = 600_000

export async function checkLines(bytes: Buffer, job: Job): Promise<Verdict> {
  const scenario: Scenario = scenarios[job.scenario]
  const subject = await subjects[job.subject]()
  const expected = scenario.expected === undefined ? 0 : scenario.warmUp + job.records
  const problems: string[] = []
  let lines = 0
  let start = 0
  let timedFrom = 0
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
    if (lines === scenario.warmUp) timedFrom = start
    const problem =
      lines < expected ? problemOf(bytes.toString('utf8', start, end), lines, scenario, subject) : undefined
    if (problem !== undefined && problems.length < mostProblems) problems.push(`line ${lines + 1}: ${problem}`)
    lines++
    start = end + 1
  }
  if (start < bytes.length) problems.push('the last line has no end')
  if (lines !== expected) problems.push(`${lines} lines for ${expected} records`)
  return { bytes: bytes.length - timedFrom, lines, problems }
}

/** What is wrong with one line; also out of order, because a record says its number or one of a long row of messages. */
function problemOf(text: string, index: number, scenario: Scenario, subject: Subject): string | undefined {
  let record: Readonly<Record<string, unknown>>
  try {
    record = JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return `does not parse: ${text.slice(0, 80)}`
  }
  const { time, level, message, attributes } = subject.read(record)
  const expected = scenario.expected!(index)
  if (!(Math.abs(Date.now() - time) < oldest)) return `the time is ${time}`
  if (level !== 'info') return `the level is ${level}`
  if (message !== expected.message) return `the message is ${JSON.stringify(message)}`
  if (isDeepStrictEqual(attributes, expected.attributes)) return undefined
  return `the attributes are ${JSON.stringify(attributes)}`
}
