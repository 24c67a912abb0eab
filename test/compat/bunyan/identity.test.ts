import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import realBunyan from 'bunyan'
import * as fc from 'fast-check'
import { createLogger } from '../../../src/entries/bunyan.ts'
import { withControlsEscaped } from '../escaped-controls.ts'
import { call, key, object, text, value } from '../arbitraries.ts'
import { isPlainLine, Lines } from '../pino/support.ts'

beforeEach(() => {
  jest.useFakeTimers({ now: 1_700_000_000_123 })
})
afterEach(() => {
  jest.useRealTimers()
})

const options = fc.record(
  {
    serializers: fc.constantFrom(
      { user: (user: unknown) => ({ of: typeof user }) },
      { err: realBunyan.stdSerializers.err },
      { a: () => undefined, req: realBunyan.stdSerializers.req, res: realBunyan.stdSerializers.res },
    ),
    level: fc.constantFrom('trace', 'INFO', 30, 35),
    hostname: fc.constant('host'),
    more: value,
    nothing: fc.constant(undefined),
  },
  { requiredKeys: [] },
)
const levels = fc.constantFrom('trace', 'debug', 'info', 'warn', 'error', 'fatal')

/** The lines of a call. */
function linesOf(
  make: typeof createLogger,
  given: object,
  children: [Record<string, unknown>, boolean][],
  level: string,
  args: unknown[],
): string {
  const kept = new Lines()
  let log = make({ name: 'n', ...given, stream: kept })
  for (const [fields, simple] of children) log = log.child(fields, simple)
  const method = log[level as 'info'] as (...args: unknown[]) => void
  Reflect.apply(method, log, args)
  return kept.lines.join('')
}

function theirs(...given: Parameters<typeof linesOf> extends [unknown, ...infer R] ? R : never): string | undefined {
  try {
    return linesOf(realBunyan.createLogger as unknown as typeof createLogger, ...given)
  } catch {
    return undefined // it throws into the application
  }
}

const children = fc.array(
  fc.tuple(
    fc.dictionary(
      key.filter((name) => !['name', 'level'].includes(name)),
      value,
      { maxKeys: 3 },
    ),
    fc.boolean(),
  ),
  { maxLength: 2 },
)

test("a line equals bunyan's line when that is valid JSON", () => {
  let compared = 0
  fc.assert(
    fc.property(options, children, levels, call, (given, bound, level, args) => {
      const line = theirs(given, bound, level, args)
      const ours = linesOf(createLogger, given, bound, level, args)
      expect(ours === '' || isPlainLine(ours)).toBe(true)
      if (line === undefined || (line !== '' && !isPlainLine(line))) return
      // bunyan calls a `toJSON` function among the fields, whose result replaces the whole record.
      if (line !== '' && (JSON.parse(line) as { v?: unknown }).v !== 0) return
      // bunyan drops a record whose level is not comparable, and calls toJSON without a key after a value threw.
      if ((line === '' && ours !== '') || line.includes('named undefined')) return
      compared++
      expect(ours).toBe(withControlsEscaped(line))
    }),
    { numRuns: 2_000 },
  )
  expect(compared).toBeGreaterThan(1_000)
})

test('a raw stream receives the same record as from bunyan', () => {
  expect.hasAssertions()
  fc.assert(
    fc.property(object, text, (fields, message) => {
      const records: unknown[][] = [[], []]
      for (const [index, make] of [createLogger, realBunyan.createLogger].entries()) {
        const stream = { write: (record: unknown) => records[index]!.push(record) }
        const log = (make as typeof createLogger)({
          name: 'n',
          time: 1,
          streams: [{ type: 'raw', stream, level: 'trace' }],
        })
        try {
          log.info({ ...fields, level: 30, time: 1 }, message)
        } catch {
          records[0] = []
        }
      }
      expect(records[0]).toEqual(records[1])
    }),
    { numRuns: 300 },
  )
})

test('`src: true` adds the same call site as bunyan', () => {
  // This runs in a child process because Jest's global object has no stack.
  const program = `
    import theirs from 'bunyan'
    import ours from './src/entries/bunyan.ts'
    const lines = []
    function speak(make) { make({ name: 'n', time: 1, src: true, stream: { write: (line) => lines.push(line) } }).info('x') }
    for (const make of [ours.createLogger, theirs.createLogger]) speak(make)
    process.stdout.write(JSON.stringify(lines))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const [our, their] = JSON.parse(stdout) as string[]
  expect(our).toContain('"func":"speak"')
  expect(our).toBe(their)
})
