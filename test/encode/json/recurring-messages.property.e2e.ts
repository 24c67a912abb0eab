import type { Logger } from '../../../src/logger/types.ts'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Encoding } from '../../../src/encode/encoding.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { capturingExporter, createTestLogger, type CapturingExporter } from '../../support/files/test-logger.ts'
import { decodeRequest, type OtlpJson } from '../../support/otlp/messages.ts'

const call = fc.record({
  // Some have the same length; the last two are at the length limit of the cache.
  message: fc.constantFrom('', 'one', 'two', 'ab"', 'done {nobody}', 'é\n', '\ud800', 'm'.repeat(100), 'm'.repeat(101)),
  level: fc.constantFrom('info', 'warn'),
  logger: fc.constantFrom('root', 'child', 'traced'),
  millis: fc.constantFrom(1_795_254_963_123, 1_795_254_963_124),
  attributes: fc.constantFrom({}, { a: 'GET', b: 1 }),
})

/** Some calls, each of them repeated many times. */
const calls = fc
  .tuple(fc.array(call, { minLength: 3, maxLength: 8 }), fc.array(fc.nat(7), { minLength: 400, maxLength: 600 }))
  .map(([some, order]) => order.map((index) => some[index % some.length]!))

const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

const readers = {
  'JSON lines': linesOf,
  'OTLP/JSON lines': (logged: readonly Call[]) => writtenFor(logged, otlpJsonLines()).lines(),
  // Requests of one record each, which a decoder reads as one request: repeated fields are joined.
  'OTLP/protobuf requests': (logged: readonly Call[]) =>
    decodeRequest(writtenFor(logged, otlpEncoding('http/protobuf')).bytes())['resourceLogs'] as readonly OtlpJson[],
}

describe('repeated messages', () => {
  test.each(Object.entries(readers))('repeated messages are encoded in %s as by a new logger', (_, read) => {
    fc.assert(
      fc.property(calls, (logged) => {
        const alone = new Map(logged.map((each) => [each, read([each])[0]]))
        expect(read(logged)).toEqual(logged.map((each) => alone.get(each)))
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  test('repeated messages are written unchanged, with the time and level of their call', () => {
    fc.assert(
      fc.property(calls, (logged) => {
        const lines = linesOf(logged).map((line) => JSON.parse(line) as object)
        const expected = logged.map(({ message, level, millis }) => {
          return expect.objectContaining({ message, level, timestamp: new Date(millis).toISOString() })
        })
        expect(lines).toEqual(expected)
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })
})

type Call = typeof call extends fc.Arbitrary<infer C> ? C : never

function linesOf(logged: readonly Call[]): string[] {
  return writtenFor(logged, jsonLines()).lines()
}

/** Returns the lines that one logger writes. */
function writtenFor(logged: readonly Call[], encoding: Encoding): CapturingExporter {
  let now = 0
  const { log, exporter } = createTestLogger({ clock: () => now }, capturingExporter(encoding))
  const loggers: Readonly<Record<Call['logger'], Logger>> = {
    root: log,
    child: log.child({ bound: 'GET' }),
    traced: log.child({}, { context: trace.setSpanContext(ROOT_CONTEXT, span) }),
  }
  for (const each of logged) {
    now = each.millis
    loggers[each.logger][each.level](each.message, each.attributes)
  }
  return exporter
}
