import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { workbench } from '../support/line-keeper.ts'

const call = fc.record({
  // Some of one length; the last two stand at the bound of what is kept.
  message: fc.constantFrom('', 'one', 'two', 'ab"', 'done {nobody}', 'é\n', '\ud800', 'm'.repeat(100), 'm'.repeat(101)),
  level: fc.constantFrom('info', 'warn'),
  logger: fc.constantFrom('root', 'child', 'traced'),
  millis: fc.constantFrom(1_795_254_963_123, 1_795_254_963_124),
  attributes: fc.constantFrom({}, { a: 'GET', b: 1 }),
})

/** Some calls, each of them many times. */
const calls = fc
  .tuple(fc.array(call, { minLength: 3, maxLength: 8 }), fc.array(fc.nat(7), { minLength: 400, maxLength: 600 }))
  .map(([some, order]) => order.map((index) => some[index % some.length]!))

const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

describe('messages that come again and again', () => {
  test('make the lines that they make in a logger that has seen nothing before', () => {
    fc.assert(
      fc.property(calls, (said) => {
        const alone = new Map(said.map((each) => [each, linesOf([each])[0]]))
        expect(linesOf(said)).toEqual(said.map((each) => alone.get(each)))
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  test('are said as they are, with the time and the level of their call', () => {
    fc.assert(
      fc.property(calls, (said) => {
        const lines = linesOf(said).map((line) => JSON.parse(line) as object)
        const expected = said.map(({ message, level, millis }) => {
          return expect.objectContaining({ message, level, timestamp: new Date(millis).toISOString() })
        })
        expect(lines).toEqual(expected)
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })
})

type Call = typeof call extends fc.Arbitrary<infer C> ? C : never

/** What one logger writes. */
function linesOf(said: readonly Call[]): string[] {
  let now = 0
  const { log, keeper } = workbench({ clock: () => now })
  const loggers = {
    root: log,
    child: log.child({ bound: 'GET' }),
    traced: log.child({}, { context: trace.setSpanContext(ROOT_CONTEXT, span) }),
  }
  for (const each of said) {
    now = each.millis
    loggers[each.logger][each.level](each.message, each.attributes)
  }
  return keeper.lines()
}
