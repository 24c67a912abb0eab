import * as fc from 'fast-check'
import { inspect } from 'node:util'
import { createLogger } from '../../../src/create/create-logger.ts'
import { defineEvent } from '../../../src/logger/events.ts'
import type { Logger, LoggerOptions, RootLogger } from '../../../src/logger/types.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { withContext } from '../../../src/platform/node/with-context.ts'
import { nastyText } from '../../support/values/arbitraries.ts'
import { expectNoCanary } from './canary.ts'
import { expectBalanced } from './expect-balanced.ts'
import { outputs, recordKeeper } from './outputs.ts'
import { target, type Target } from './target.ts'
import { make, makeMembers, members, plans, redact, type Plan } from './values.ts'

export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'notice'] as const

/** The forms of the arguments of a call. The values are stored in the corpus. */
const shapes = [
  'message',
  'message, attributes',
  'attributes, message',
  'attributes',
  'message, values',
  'error, message',
  'message, attributes, error',
  'any, any, any',
  'lazy',
  'lazy throws',
  'err',
  'event',
  'map',
  'nothing',
] as const

const message = fc.oneof(
  nastyText,
  fc
    .array(
      fc.oneof(
        nastyText,
        fc.constantFrom('%s', '%d', '%j', '%o', '%O', '%i', '%c', '%%', '%', '{a}', '{b:json}', '{{', '}', '{user.a}'),
        fc.constantFrom('{secretKey}', '{tokenA:json}', '{__proto__}', '{constructor}', '{pin}', '{'),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('', '\n{"level":"fatal"}', '\u001b]0;title\u0007', '\ufeff{}', '\u2028\u2029', '\u202ereversed'),
)

export const attributes = fc.oneof({ weight: 4, arbitrary: members }, fc.constant([]))

/** One call of a logger. */
export const calls = fc.record({
  shape: fc.constantFrom(...shapes),
  level: fc.constantFrom(...levels),
  message,
  attributes,
  values: fc.array(plans, { maxLength: 3 }),
})

type Call = typeof calls extends fc.Arbitrary<infer C> ? C : never

const input = fc.record({
  calls: fc.array(calls, { minLength: 1, maxLength: 3 }),
  bound: fc.option(attributes, { nil: undefined }),
  context: fc.option(attributes, { nil: undefined }),
  child: fc.option(attributes, { nil: undefined }),
  enrich: fc.option(attributes, { nil: undefined }),
  messagePrefix: fc.option(nastyText, { nil: undefined }),
  serializer: fc.option(plans, { nil: undefined }),
  scope: fc.oneof(fc.constant('scope'), nastyText),
  limits: fc.option(
    fc.record({
      depth: fc.integer({ min: 1, max: 5 }),
      attributes: fc.integer({ min: 1, max: 6 }),
      items: fc.integer({ min: 1, max: 4 }),
      stringLength: fc.integer({ min: 1, max: 40 }),
      recordBytes: fc.integer({ min: 1_024, max: 3_000 }),
      stackFrames: fc.integer({ min: 1, max: 3 }),
    }),
    { nil: undefined },
  ),
  together: fc.boolean(),
})
type Input = typeof input extends fc.Arbitrary<infer I> ? I : never

/** Log methods, children, contexts, enrichment, serializers and events, in all formats at once or one at a time. */
export const logCalls: Target<unknown> = target('log-calls', input, (given) => {
  if (given.together) return checkLogger(given, outputs)
  for (const output of outputs) checkLogger(given, [output])
})

function checkLogger(given: Input, chosen: typeof outputs): void {
  const keepers = chosen.map(({ encoding }) => recordKeeper(encoding()))
  const problems: Diagnostic[] = []
  const options = {
    level: 'trace',
    levels: { notice: 10 },
    name: given.scope,
    clock: () => 1_700_000_000_123,
    exporter: keepers,
    redact,
    handleExit: false,
    onDiagnostic: (problem: Diagnostic) => problems.push(problem),
    ...(given.bound === undefined ? {} : { attributes: makeMembers(given.bound) }),
    ...(given.enrich === undefined ? {} : { enrich: () => makeMembers(given.enrich!) }),
    ...(given.messagePrefix === undefined ? {} : { messagePrefix: given.messagePrefix }),
    ...(given.limits === undefined ? {} : { limits: given.limits }),
    ...(given.serializer === undefined ? {} : { serializers: { a: () => make(given.serializer!) } }),
  } satisfies LoggerOptions<object, 'notice'>
  const root = createLogger<object, 'notice'>(options) as unknown as RootLogger
  const log = given.child === undefined ? root : root.child(makeMembers(given.child))
  const logAll = () => {
    for (const call of given.calls) callLogger(log, call)
  }
  if (given.context === undefined) logAll()
  else withContext(makeMembers(given.context), logAll)

  const stats = root.stats()
  expectBalanced(stats)
  chosen.forEach((output, index) => {
    const { kept } = keepers[index]!
    if (kept.length !== stats.exporters[index]!.written)
      throw new Error(`${kept.length} records for ${stats.exporters[index]!.written} written to ${output.name}`)
    if (kept.length !== given.calls.length) throw new Error(`${kept.length} records of ${given.calls.length} calls`)
    kept.forEach((record, at) => {
      try {
        output.read(record, {
          level: levelOf(given.calls[at]!),
          timestamp: '2023-11-14T22:13:20.123Z',
          scope: given.scope.toWellFormed(),
        })
      } catch (error) {
        throw new Error(`as ${output.name}`, { cause: error })
      }
    })
  })
  expectNoCanary(inspect([root, log, stats, keepers.length], { depth: 6, showHidden: true }), 'inspect()')
  for (const { message } of problems) expectNoCanary(message, 'a problem')
}

/** Returns the level of the record of a call. */
function levelOf({ level, shape }: Call): string {
  return shape === 'event' && level === 'notice' ? 'info' : level
}

type LogFunction = (...args: unknown[]) => void

/** Defines members, also `__proto__`, whose assignment would replace the prototype. */
function withMembers(error: Error, members: object): Error {
  return Object.defineProperties(error, Object.getOwnPropertyDescriptors(members))
}

/** Calls a log method. */
export function callLogger(log: Logger, { shape, level, message, attributes, values }: Call): void {
  const info = (log as unknown as Record<string, LogFunction>)[level]!
  const own = () => makeMembers(attributes)
  const made = () => values.map((plan: Plan) => make(plan))
  switch (shape) {
    case 'message':
      return info(message)
    case 'message, attributes':
      return info(message, own())
    case 'attributes, message':
      return info(own(), message)
    case 'attributes':
      return info(own())
    case 'message, values':
      return info(message, ...made())
    case 'error, message':
      return info(withMembers(new RangeError(message), own()), message)
    case 'message, attributes, error':
      return info(message, own(), new Error(message, { cause: made()[0] }))
    case 'any, any, any':
      return info(...made())
    case 'lazy':
      return info(() => [message, own(), ...made()])
    case 'lazy throws':
      return info(() => {
        throw made()[0]
      })
    case 'err':
      return info({ ...own(), err: made()[0], error: made()[1], req: made()[2] }, message)
    case 'map':
      return info(message, new Map(Object.entries(own())))
    case 'nothing':
      return info()
    case 'event': {
      const name = message.slice(0, 200) || 'event'
      const event = defineEvent(name, { level: level === 'notice' ? 'info' : level })
      return (event as LogFunction)(log, own(), made()[0])
    }
  }
}
