import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { pino } from '../../src/entries/pino.ts'
import { runChild } from '../support/processes/child.ts'
import { modes, type Mode } from './user-code/modes.ts'
import { wrapperFunctions } from './user-code/wrapper-functions.ts'
import { callbackCases } from './user-code/callback-cases.ts'

interface Outcome {
  readonly callback: string
  readonly mode: Mode
  readonly thrown?: string
  readonly unhandled: readonly string[]
  readonly arrived: readonly string[]
  readonly lost?: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/reference/user-code.md'), 'utf8')
const outcomes = new Map<string, Outcome>()

beforeAll(async () => {
  const program = fileURLToPath(new URL('./user-code/program.ts', import.meta.url))
  const { stdout, code } = await runChild({ args: [program], timeoutMillis: 170_000 })
  expect(code).toBe(0)
  for (const line of stdout.trimEnd().split('\n')) {
    const outcome = JSON.parse(line) as Outcome
    outcomes.set(`${outcome.callback}/${outcome.mode}`, outcome)
  }
}, 180_000)

const cases = callbackCases.flatMap((callback) => (Object.keys(modes) as Mode[]).map((mode) => ({ callback, mode })))

describe('user code that fails', () => {
  test.each(cases.map(({ callback, mode }) => [callback.name, mode] as const))(
    'user code in %s that %s neither ends the process nor stops logging',
    (name, mode) => {
      const outcome = outcomes.get(`${name}/${mode}`)!
      expect(outcome).toMatchObject({ unhandled: [] })
      expect(outcome.thrown).toBeUndefined()
      const callback = callbackCases.find((each) => each.name === name)!
      // One batch is in flight at a time: behind an exporter that never answers, records are queued.
      if (mode === 'never answers' && callback.delivers) return
      expect(outcome.arrived).toContain('use-2')
    },
  )

  const failing = [
    'throws',
    'rejects',
    'rejects later',
    'returns a thenable that rejects',
    'returns a thenable that throws',
  ]
  const counted = callbackCases
    .filter(({ delivers }) => delivers)
    .flatMap(({ name }) => failing.map((mode) => [name, mode]))
  test.each(counted)('records are counted as lost when user code in %s %s', (name, mode) => {
    const { arrived, lost } = outcomes.get(`${name}/${mode}`)!
    expect(arrived.includes('use-0') ? 1 : lost).toBeGreaterThan(0)
  })
})

describe('the table of callbacks in the documentation', () => {
  test('the table has a row for each tested callback and no other rows', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'))
    const names = rows.map((row) => row.split('|')[1]!.trim().replaceAll('`', ''))
    expect(names.toSorted()).toEqual(callbackCases.map(({ name }) => name).toSorted())
  })

  test('the table has a row for each function that the public API accepts', async () => {
    const program = fileURLToPath(new URL('./user-code/functions.ts', import.meta.url))
    const { stdout, code } = await runChild({ args: [program] })
    expect(code).toBe(0)
    const found = stdout.trimEnd().split('\n')
    const known = new Set([
      ...callbackCases.flatMap(({ members }) => members),
      ...wrapperFunctions.map(({ member }) => member),
      ...neverCalled,
      ...calledByNode,
      ...unproven,
    ])
    expect(found.filter((name) => !known.has(name))).toEqual([])
    expect([...known].filter((name) => !found.includes(name))).toEqual([])
  })
})

describe('functions that run a function of their caller', () => {
  test.each(wrapperFunctions.map((each) => [each.member, each] as const))(
    'an error thrown by the function passed to %s reaches the caller',
    async (_, { run }) => {
      const error = new Error('of the caller')
      const running = async () =>
        run(() => {
          throw error
        })
      await expect(running()).rejects.toBe(error)
    },
  )

  test.each(wrapperFunctions.filter(({ returns }) => returns).map((each) => [each.member, each] as const))(
    'a rejection of the function passed to %s reaches the caller',
    async (_, { run }) => {
      const error = new Error('of the caller')
      await expect(run(() => Promise.reject(error))).rejects.toBe(error)
    },
  )
})

/** Options of pino's browser build, which have no effect in Node. */
const neverCalled = [
  'pino BrowserOptions.formatters.level',
  'pino BrowserOptions.formatters.log',
  'pino BrowserOptions.transmit.send',
  'pino BrowserOptions.write',
]

test("functions in pino's `browser` option are not called", () => {
  const calls: string[] = []
  const called = (name: string) => (): any => calls.push(name)
  const lines: string[] = []
  const browser = {
    asObject: true,
    write: called('write'),
    formatters: { level: called('formatters.level'), log: called('formatters.log') },
    transmit: { send: called('transmit.send') },
  }
  const logger = pino({ browser }, { write: (line) => void lines.push(line) })
  logger.error({ a: 1 }, 'logged')
  logger.child({ b: 1 }).fatal('logged')
  expect(lines).toHaveLength(2)
  expect(calls).toEqual([])
})

/** Functions that are not tested here: this one runs inside a synchronous write to a full pipe. */
const unproven = ['destination DestinationOptions.retryEAGAIN']

/** Event listeners, and callbacks of streams and other loggers: Node calls them, not a log call. */
const calledByNode = [
  ...['on', 'addListener', 'once', 'prependListener', 'prependOnceListener', 'removeListener'].map(
    (method) => `pino LoggerExtras.${method}(listener)`,
  ),
  'bunyan AnyStream.on(listener)',
  'bunyan AnyStream.flush(callback)',
  'winston Logger._write(next)',
  'winston Logger._final(done)',
  'winston Logger.pass(done)',
  'winston Transport._write(next)',
  'winston Transport.accept(next)',
  'winston LineTransport._final(done)',
  'winston LineTransport.log(next)',
  'winston RecordTransport._final(done)',
  'winston RecordTransport.log(next)',
  'winston StreamTransport.log(next)',
]
