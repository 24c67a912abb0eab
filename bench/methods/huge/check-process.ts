/** Checks the file in a separate process, because that needs a gigabyte of memory. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { subjects } from '../../subjects/index.ts'
import type { Line, Subject } from '../../subjects/subject.ts'
import { hugeOf } from './huge-of.ts'
import type { CheckJob } from './method.ts'

const lineFeed = 10
const job = JSON.parse(process.argv[2]!) as CheckJob
process.send!(problemsOf(readFileSync(job.path), await subjects[job.subject]()))

function problemsOf(bytes: Buffer, subject: Subject): string[] {
  const end = bytes.indexOf(lineFeed)
  if (end < 0) return [`${bytes.length} bytes without a line feed`]
  const problems = problemsOfLine(bytes.subarray(0, end), subject)
  if (end + 1 < bytes.length) problems.push(`${bytes.length - end - 1} bytes after the line`)
  return problems
}

function problemsOfLine(bytes: Buffer, subject: Subject): string[] {
  let line: Line
  try {
    line = subject.read(JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>)
  } catch {
    return [`${bytes.length} bytes cannot be read: ${bytes.toString('utf8', 0, 80)}`]
  }
  const { level, message, attributes } = line
  const due = hugeOf(job).expected()
  const problems: string[] = []
  if (level !== 'info') problems.push(`the level is ${level}`)
  if (!isDeepStrictEqual(attributes, due.attributes)) problems.push('the line has unexpected attributes')
  if (message !== due.message) problems.push(`the message is ${difference(String(message), due.message)}`)
  return problems
}

function difference(message: string, due: string): string {
  let at = 0
  while (at < message.length && message[at] === due[at]) at++
  return `different from character ${at} on: ${message.length} characters, but ${due.length} were expected`
}
