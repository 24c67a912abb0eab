import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { inspect } from 'node:util'
import { hostile, thrower } from '../support/values/hostile.ts'
import { createTestConsole, type TestConsole, CapturingStream } from '../support/processes/test-console.ts'

const methods = [
  'log',
  'info',
  'debug',
  'dir',
  'dirxml',
  'table',
  'count',
  'countReset',
  'group',
  'groupCollapsed',
  'groupEnd',
  'warn',
  'error',
  'assert',
] as const
type Method = (typeof methods)[number]
interface Call {
  readonly method: Method
  readonly args: readonly unknown[]
}

const format = fc.array(fc.constantFrom('%s', '%d', '%i', '%f', '%j', '%o', '%O', '%c', '%%', '%', ' a ', '\n', '{b}'))
const value = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
  fc.string({ unit: 'binary' }),
  format.map((parts) => parts.join('')),
  fc.string().map((message) => Object.assign(new Error(message), { stack: `Error: ${message}\n    at somewhere` })),
)
const label = fc.constantFrom('a', 'b', undefined)
const call: fc.Arbitrary<Call> = fc.constantFrom(...methods).chain((method) => {
  const isLabelled = method.startsWith('count')
  const args = isLabelled ? label.map((name) => (name === undefined ? [] : [name])) : fc.array(value, { maxLength: 4 })
  return args.map((given) => ({ method, args: given }))
})
const calls = fc.array(call, { maxLength: 12 })

function print({ console: target }: TestConsole, made: readonly Call[]): unknown[] {
  return made.map(({ method, args }) => {
    // countReset of a counter that was never started emits a process warning, so start it first.
    if (method === 'countReset') target.count(args[0] as string | undefined)
    try {
      return (target as unknown as Record<Method, (...given: readonly unknown[]) => unknown>)[method](...args)
    } catch (error) {
      return String(error)
    }
  })
}

/** Returns what Node's console prints to both streams, in order, with the outcomes of the calls of each part. */
function printed(parts: readonly (readonly Call[])[], capturedAt?: number): { texts: string[]; outcomes: unknown[] } {
  const kept = createTestConsole()
  const outcomes: unknown[] = []
  const texts = parts.map((made, index) => {
    const written = new CapturingStream()
    const capture = index === capturedAt ? kept.capture({ stream: written }) : undefined
    if (capture === undefined) for (const stream of [kept.stdout, kept.stderr]) stream.target = written
    outcomes.push(print(kept, made))
    void capture?.release()
    return written.text
  })
  return { texts, outcomes }
}

test('passthrough writes the same bytes as the console, and groups and counters continue across capture and release', () => {
  fc.assert(
    fc.property(calls, calls, calls, (...parts) => {
      expect(printed(parts, 1)).toEqual(printed(parts))
    }),
    { numRuns: 300 },
  )
})

test('timers started before and during a capture can be read during and after it', () => {
  const kept = createTestConsole()
  kept.console.time('before')
  const written = new CapturingStream()
  const capture = kept.capture({ stream: written })
  kept.console.timeLog('before', 1)
  kept.console.time('within')
  void capture.release()
  kept.console.timeEnd('within')
  expect(written.text).toMatch(/^before: [\d.]+m?s 1\n$/)
  expect(kept.stdout.text).toMatch(/^within: [\d.]+m?s\n$/)
})

test('passthrough uses the colors that the target stream supports', () => {
  const terminal = Object.assign(new CapturingStream(), { isTTY: true, getColorDepth: () => 8 })
  const kept = createTestConsole()
  const capture = kept.capture({ stream: terminal })
  kept.console.log({ a: 1 })
  void capture.release()
  expect(terminal.text).toBe('{ a: \u001b[33m1\u001b[39m }\n')
})

test.each(hostile)('passthrough of %s prints or throws exactly as the console does', (_, make) => {
  const shapes = [(value: unknown) => [value], (value: unknown) => ['%s %o %j %d', value, value, value, value]]
  const parts = shapes.map((shape) =>
    (['log', 'error', 'dir', 'table'] as const).map((method) => ({ method, args: shape(make()) })),
  )
  expect(printed([parts.flat()], 0)).toEqual(printed([parts.flat()]))
})

test('an error thrown by a custom inspection reaches the caller, and nothing is printed', () => {
  const throwing = { [inspect.custom]: thrower }
  for (const capturedAt of [0, undefined]) {
    const { texts, outcomes } = printed([[{ method: 'log', args: [throwing] }]], capturedAt)
    expect({ texts, outcomes }).toEqual({ texts: [''], outcomes: [['Error: no']] })
  }
})
