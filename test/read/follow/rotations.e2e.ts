import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { followFile } from '../../../src/read/follow/follow-file.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

const ROTATIONS = 50
const LINES = 2_000
const program = fileURLToPath(new URL('programs/rotating-log.ts', import.meta.url))

let directory: TemporaryDirectory
let writer: ChildProcess | undefined
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => {
  writer?.kill('SIGKILL')
  directory.remove()
})

/** Follows a log that a process writes and rotates, and returns its lines without the padding. */
async function followRotations(method: string): Promise<{ lines: string[]; events: string[] }> {
  const path = directory.path('app.log')
  const child = spawn(process.execPath, [program, method, path, String(ROTATIONS), String(LINES)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  writer = child
  // The program may have ended before the last acknowledgment.
  child.stdin.on('error', () => {})
  const lines: string[] = []
  const events: string[] = []
  let generation = ''
  for await (const item of followFile(path)) {
    if ('event' in item) {
      if (item.event !== 'quiet') events.push(item.event)
      continue
    }
    for (const line of item.bytes.toString().trimEnd().split('\n')) {
      const [first = '', number = ''] = line.split(' ')
      lines.push(`${first} ${number}`)
      if (first !== generation) child.stdin.write(`${first}\n`)
      generation = first
    }
    if (generation === 'end') break
  }
  return { lines: lines.slice(0, -1), events }
}

const expected = Array.from({ length: (ROTATIONS + 1) * LINES }, (_, index) =>
  [Math.floor(index / LINES), index % LINES].join(' '),
)

test.each([
  'rename and create',
  'rename to dated names',
  'delete and create',
  'atomic replace',
  'copy and truncate',
  'rename, create and compress',
  'copy, truncate and compress',
])('returns every line once and in order through 50 rotations by %s', async (method) => {
  const { lines } = await followRotations(method)
  expect(firstDifference(lines)).toBe(undefined)
})

test('returns every line once if a program continues to write to the renamed file', async () => {
  const { lines } = await followRotations('rename, create and reopen later')
  const late = lines.filter((line) => line.includes('late'))
  expect(new Set(late).size).toBe(ROTATIONS * 10)
  expect(late).toHaveLength(ROTATIONS * 10)
  expect(firstDifference(lines.filter((line) => !line.includes('late')))).toBe(undefined)
})

/** Returns the first line that is missing or not expected, with its neighbors. */
function firstDifference(lines: readonly string[]): string | undefined {
  const index = lines.findIndex((line, index) => line !== expected[index])
  if (index === -1) return lines.length === expected.length ? undefined : `${lines.length} of ${expected.length} lines`
  const around = lines.slice(Math.max(0, index - 2), index + 3).join(', ')
  return `line ${index} of ${lines.length} is "${lines[index]}" and not "${expected[index]}": ${around}`
}
