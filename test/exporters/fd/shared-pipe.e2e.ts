import { spawn, spawnSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { array, assert, integer, oneof, property } from 'fast-check'
import { nonBlockingDescriptor } from '../../../src/exporters/fd/descriptor.ts'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import { PIPE_BUF } from '../../../src/exporters/fd/line-chunks.ts'
import { slowlyReadPipe, type ReadingPace } from '../../faults/harness/slow-pipe.ts'
import { batchOf } from '../../support/pipeline/batch.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import { lineWriters } from '../../support/files/line-writers.ts'
import { needs } from '../../support/needs.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { straceCommand, tracedWrites } from '../../support/files/traced-writes.ts'

const program = fileURLToPath(new URL('../../support/files/line-writers.ts', import.meta.url))
const writers = Object.keys(lineWriters)
/** The pipe is full nearly all the time, so nearly every write is partial. */
const slow: ReadingPace = { bytes: 65_536, everyMillis: 4 }
const fast: ReadingPace = { bytes: 65_536, everyMillis: 0 }

let directory: TemporaryDirectory
let names = 0
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

// Fault rows: 22
describe('writes to a shared pipe', () => {
  /** Short lines, lines about PIPE_BUF, and lines that an empty pipe may not hold. */
  const lengths = oneof(
    integer({ min: 1, max: 600 }),
    integer({ min: PIPE_BUF - 200, max: PIPE_BUF + 200 }),
    integer({ min: PIPE_BUF + 200, max: 70_000 }),
  )

  test.each([undefined, true])(
    'a pipe ends with a whole line whenever the writer stops, with sharedPipe: %s',
    (sharedPipe) => {
      const room = array(integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 20 })
      assert(
        property(array(lengths, { minLength: 1, maxLength: 60 }), room, (lengths, foreign) => {
          const states = statesOfPipe({ lengths, foreign, sharedPipe })
          for (const text of states) {
            const isWhole = text === '' || text.endsWith('\n')
            expect(isWhole || lengths[text.split('\n').length - 1]! > PIPE_BUF).toBe(true)
          }
          expect(states.at(-1)).toBe(lengths.map(lineOf).join(''))
        }),
        { numRuns: 50 },
      )
    },
  )

  test('a pipe can end inside a short line with sharedPipe: false', () => {
    const states = statesOfPipe({ lengths: Array(900).fill(100), foreign: [1_000], sharedPipe: false })
    expect(states.slice(1).every((text) => text.endsWith('\n'))).toBe(false)
  })
})

/** The text that was written each time the writer stops at a full pipe. `foreign`: bytes of other writers in the pipe. */
function statesOfPipe(plan: {
  readonly lengths: readonly number[]
  readonly foreign: readonly number[]
  readonly sharedPipe: boolean | undefined
}): string[] {
  const { lengths, foreign, sharedPipe } = plan
  const pipe = stallingPipe(directory.path(`pipe-${names++}`))
  const writer = new FdWriter({ name: 'fd:test', open: () => nonBlockingDescriptor(pipe.fd), sharedPipe })
  let clock = 0
  writer.start(recordingHost(() => clock++))
  const batch = batchOf(lengths.map(lineOf))
  const states = ['']
  for (let status = ''; status !== 'accepted';) {
    const others = foreign[states.length % foreign.length]!
    writeSync(pipe.fd, lineOf(others))
    ;({ status } = writer.exportSync(batch, 0, false))
    states.push(states.at(-1)! + pipe.readAll().slice(others))
  }
  writer.close()
  pipe.close()
  return states
}

function lineOf(length: number): string {
  return `${'x'.repeat(length - 1)}\n`
}

// Fault rows: 22
describe('system calls to a full pipe', () => {
  const traced = needs('a strace that may trace', spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0)

  traced.each(writers)('%s writes whole lines of at most PIPE_BUF bytes in each system call', async (name) => {
    const traces = directory.path(`traces-${names++}`)
    const { text, path } = await logged({
      command: [...straceCommand(traces), ...commandOf(name, 1_500, 500)],
      pace: slow,
    })
    expect(damage(text, 1_500, 1)).toEqual([])
    const calls = tracedWrites(traces, path)
    expect(calls.length).toBeGreaterThan(1)
    for (const { bytes, written } of calls) {
      expect(bytes.length).toBeLessThanOrEqual(PIPE_BUF)
      expect(bytes.at(-1)).toBe(10)
      expect([bytes.length, undefined]).toContain(written)
    }
  })
})

// Fault rows: 22
describe('interleaved lines in a shared pipe', () => {
  test.each(writers)('no line is torn when a process and two forks log to one pipe by %s', async (name) => {
    const { text } = await logged({ command: commandOf(name, 600, 300, 'forks=2'), pace: slow })
    expect(damage(text, 600, 3)).toEqual([])
  })

  test.each([
    ['slow', slow],
    ['fast', fast],
  ])(
    'no line is torn when a cluster of five processes logs 5,000 lines each to one pipe with a %s reader',
    async (_pace, pace) => {
      const { text } = await logged({ command: commandOf('createLogger', 5_000, 100, 'workers=4'), pace })
      expect(damage(text, 5_000, 5)).toEqual([])
    },
    60_000,
  )

  test('no line is torn when the shell starts two processes in one pipeline', async () => {
    const one = quoted(commandOf('the default logger', 5_000, 1_000))
    const { text } = await logged({ command: ['sh', '-c', `(${one} & ${one}; wait) | cat`], pace: slow })
    expect(damage(text, 5_000, 2)).toEqual([])
  })

  test.each(writers.filter((name) => /process\.std/.test(name)))(
    'no line is torn when three processes log to one pipeline whose reader starts late, by %s',
    async (name) => {
      // Node buffers writes to process.stdout only after the pipe is full.
      const one = `${quoted(commandOf(name, 3_000, 300))} 2>&1`
      const { text } = await logged({
        command: ['sh', '-c', `(${one} & ${one} & ${one}; wait) | (sleep 1; cat)`],
        pace: fast,
      })
      expect(damage(text, 3_000, 3)).toEqual([])
    },
  )

  test('no line is torn when lines are as long as PIPE_BUF', async () => {
    const exact = { PADDING: String(PIPE_BUF - lengthWithoutPadding()) }
    const { text } = await logged({ command: commandOf('createLogger', 1_000, 50, 'forks=2'), pace: slow, env: exact })
    expect(damage(text, 1_000, 3)).toEqual([])
    expect(Math.max(...text.split('\n').map(({ length }) => length + 1))).toBeGreaterThan(PIPE_BUF - 10)
  })

  test('no line is torn when limits.recordBytes truncates longer records', async () => {
    const command = commandOf('createLogger with recordBytes: 4096', 600, 50, 'forks=2')
    const { text } = await logged({ command, pace: slow, env: { PADDING: '20000' } })
    expect(damage(text, 600, 3)).toEqual([])
  })

  const linux = needs('Linux', process.platform === 'linux')

  linux(
    'no line of 20,000 bytes is torn in a socket pair, which is the standard output of a child of Node',
    async () => {
      const [command, ...args] = commandOf('createLogger', 300, 20, 'forks=2')
      const child = spawn(command!, args, {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, PADDING: '20000' },
      })
      let text = ''
      child.stdout.setEncoding('latin1').on('data', (part: string) => (text += part))
      await new Promise((resolve) => child.once('close', resolve))
      expect(damage(text, 300, 3)).toEqual([])
    },
  )
})

/** The bytes of a record that are not padding, with a process ID and a number of the most digits. */
function lengthWithoutPadding(): number {
  const record = {
    timestamp: new Date().toISOString(),
    level: 'info',
    message: '4194304-999',
    attributes: { padding: '' },
  }
  return Buffer.byteLength(`${JSON.stringify(record)}\n`)
}

function commandOf(name: string, records: number, perTurn: number, crowd?: string): string[] {
  const words = [process.execPath, program, name, String(records), String(perTurn)]
  return crowd === undefined ? words : [...words, crowd]
}

/** A command as the shell reads it. */
function quoted(command: readonly string[]): string {
  return command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
}

/** Runs a command whose standard output and error are one pipe. */
async function logged(plan: {
  readonly command: readonly string[]
  readonly pace: ReadingPace
  readonly env?: Readonly<Record<string, string>>
}): Promise<{ readonly text: string; readonly path: string }> {
  const path = directory.path(`pipe-${names++}`)
  const pipe = slowlyReadPipe(path, plan.pace)
  const [command, ...args] = plan.command
  const child = spawn(command!, args, { stdio: ['ignore', pipe.fd, pipe.fd], env: { ...process.env, ...plan.env } })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const text = pipe.end()
  expect({ code, text: code === 0 ? '' : text.slice(0, 2_000) }).toEqual({ code: 0, text: '' })
  return { text, path }
}

/** Lines that are not records, and processes that do not have all of their records in order. */
function damage(text: string, records: number, processes: number): string[] {
  const found = new Map<string, number[]>()
  const torn: string[] = []
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const [, pid, n] = /"(\d+)-(\d+)[" ]/.exec(parsed(line) ?? '') ?? []
    if (pid === undefined) torn.push(`torn: ${line.slice(0, 200)}`)
    else
      found
        .set(pid, found.get(pid) ?? [])
        .get(pid)!
        .push(Number(n))
  }
  const wrong = [...found].filter(([, all]) => all.length !== records || all.some((n, index) => n !== index))
  return [
    ...torn,
    ...(found.size === processes ? [] : [`${found.size} of ${processes} processes logged`]),
    ...wrong.map(([pid, all]) => `process ${pid}: ${all.length} of ${records} records, or disorder`),
  ]
}

/** The text of a line that is one JSON object. */
function parsed(line: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(line))
  } catch {
    return undefined
  }
}
