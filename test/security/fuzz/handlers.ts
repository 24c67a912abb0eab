import * as fc from 'fast-check'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { HandledRecord, Handler } from '../../../src/handler/handler.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { expectNoCanary } from './canary.ts'
import { expectBalanced } from './ledger.ts'
import { attributes, calls, levels, say } from './log-calls.ts'
import { outputs, recordKeeper } from './outputs.ts'
import { target, type Target } from './target.ts'
import { make, makeMembers, plans, redact } from './values.ts'

/** What a handler does with a record before it hands it on. */
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

/** A handler that sets anything, and breaks its contract in any way: records are redacted, whole, and counted all the same. */
export const handlers: Target<unknown> = target('handlers', input, (given) => {
  for (const output of outputs) checkHandled(given, output)
})

function checkHandled(given: Input, output: (typeof outputs)[number]): void {
  const keeper = recordKeeper(output.encoding())
  const problems: Diagnostic[] = []
  const held: [Handler, HandledRecord][] = []
  /** The levels of the records that are to be written, in their order. */
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
        const said = record.level
        let handedOn = false
        try {
          change(record as HandledRecord, given, next)
          for (let time = 0; time < given.times; time++) {
            expected.push(given.before === 'sets' ? given.level : said)
            handedOn = true
            next.handle(record)
          }
          if (given.throwsBehind) throw make(given.body)
        } catch (error) {
          if (!handedOn) expected.push(said)
          throw error
        }
      },
    }),
  }) as unknown as RootLogger
  for (const call of given.calls) say(root, call)
  // Too late: what was not handed on by now was left out.
  for (const [next, record] of held) next.handle(record)

  expectBalanced(root.stats())
  if (keeper.kept.length !== root.stats().written) throw new Error('what was written is not what was counted')
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
