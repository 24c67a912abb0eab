import * as fc from 'fast-check'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { HandledRecord, Handler } from '../../../src/handler/handler.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { expectNoCanary } from './canary.ts'
import { expectBalanced } from './expect-balanced.ts'
import { attributes, calls, levels, callLogger as logCall } from './log-calls.ts'
import { outputs, recordKeeper } from './outputs.ts'
import { target, type Target } from './target.ts'
import { make, makeMembers, plans, redact } from './values.ts'

/** The action of a handler before it passes a record on. The values are stored in the corpus. */
const before = ['nothing', 'sets', 'spreads', 'takes', 'forges', 'throws', 'hands on another'] as const

const input = fc.record({
  calls: fc.array(calls, { minLength: 1, maxLength: 3 }),
  bound: attributes,
  before: fc.constantFrom(...before),
  level: fc.constantFrom(...levels),
  body: plans,
  attributes,
  times: fc.nat(2),
  throwsBehind: fc.boolean(),
  logs: fc.boolean(),
})
type Input = typeof input extends fc.Arbitrary<infer I> ? I : never

/** A handler that sets any value and violates its contract in any way: records are still well-formed, redacted and counted. */
export const handlers: Target<unknown> = target('handlers', input, (given) => {
  for (const output of outputs) checkHandled(given, output)
})

function checkHandled(given: Input, output: (typeof outputs)[number]): void {
  const keeper = recordKeeper(output.encoding())
  const problems: Diagnostic[] = []
  const held: [Handler, HandledRecord][] = []
  /** The levels of the expected records, in order. */
  const expected: string[] = []
  const root = createLogger<object, 'notice'>({
    level: 'trace',
    levels: { notice: 10 },
    name: 'scope',
    clock: () => 1_700_000_000_123,
    attributes: makeMembers(given.bound),
    exporter: keeper,
    redact,
    handleExit: false,
    onDiagnostic: (problem) => problems.push(problem),
    handler: (next) => ({
      handle(record) {
        held.push([next, record as HandledRecord])
        if (given.logs) {
          expected.push('warn')
          root.warn('logged by the handler', makeMembers(given.attributes))
        }
        const originalLevel = record.level
        let passedOn = false
        try {
          change(record as HandledRecord, given, next)
          for (let time = 0; time < given.times; time++) {
            expected.push(given.before === 'sets' ? given.level : originalLevel)
            passedOn = true
            next.handle(record)
          }
          if (given.throwsBehind) throw make(given.body)
        } catch (error) {
          if (!passedOn) expected.push(originalLevel)
          throw error
        }
      },
    }),
  }) as unknown as RootLogger
  for (const call of given.calls) logCall(root, call)
  // A record cannot be passed on after the log call has returned.
  for (const [next, record] of held) next.handle(record)

  expectBalanced(root.stats())
  if (keeper.kept.length !== root.stats().written)
    throw new Error('the number of written records differs from the statistics')
  if (keeper.kept.length !== expected.length)
    throw new Error(`${keeper.kept.length} records, not ${expected.length}, as ${output.name}`)
  keeper.kept.forEach((record, at) => {
    try {
      output.read(record, { level: expected[at], timestamp: '2023-11-14T22:13:20.123Z', scope: 'scope' })
    } catch (error) {
      throw new Error(`as ${output.name}`, { cause: error })
    }
  })
  for (const { message } of problems) expectNoCanary(message, 'a problem')
}

function change(record: HandledRecord, given: Input, next: Handler): void {
  switch (given.before) {
    case 'sets':
      record.level = given.level as 'info'
      record.body = make(given.body)
      record.attributes = makeMembers(given.attributes)
      return
    case 'spreads':
      record.attributes = { ...record.attributes, ...makeMembers(given.attributes) }
      return
    case 'takes':
      ;(record.bound as Map<string, unknown>).set('forged', make(given.body))
      record.attributes = { bound: record.bound, span: record.span, error: record.exception }
      return
    case 'forges':
      for (const name of ['level', 'severity', 'body', 'attributes', 'time', 'span', 'bound', 'exception', 'eventName'])
        Object.defineProperty(record, name, { get: () => make(given.body) })
      return
    case 'throws':
      throw make(given.body)
    case 'hands on another':
      return next.handle(makeMembers(given.attributes) as unknown as HandledRecord)
    case 'nothing':
  }
}
