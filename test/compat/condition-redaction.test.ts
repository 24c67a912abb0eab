import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { pino } from '../../src/entries/pino.ts'
import { createLogger } from '../../src/entries/winston.ts'
import { levelControl, type LevelChange } from '../../src/level-control/level-control.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { emitting } from '../otel/provider/emitting.ts'

const traceId = 'a'.repeat(32)
const spanId = 'b'.repeat(16)
let change: LevelChange

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())
afterEach(() => change.revert())

/** Calls a function in a context with a span and baggage. */
function inContext<T>(entries: Readonly<Record<string, string>>, fn: () => T): T {
  const baggage = propagation.createBaggage(
    Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, { value }])),
  )
  const span = trace.setSpanContext(context.active(), { traceId, spanId, traceFlags: 1 })
  return context.with(propagation.setBaggage(span, baggage), fn)
}

const redact = ['token']
const pinoLogger = pino({ redact, serializers: { card: () => 'serialized' } }, { write() {} })
const winstonLogger = createLogger({ redact })
const provider = emitting({ redact, defaultLogger: { minimumSeverity: 'info' } }).provider
afterAll(() => provider.shutdown())

const loggers = {
  'sluice/pino': () => pinoLogger.isLevelEnabled('debug'),
  'sluice/winston': () => winstonLogger.isLevelEnabled('debug'),
  'a LoggerProvider': () => provider.getLogger('app').enabled({ severityNumber: 5 }),
}

describe.each(Object.entries(loggers))('conditions of loggers of %s', (name, isDebugEnabled) => {
  test.each([
    ['the trace', `[trace_id=${traceId}]=debug`, true],
    ['the span', `[span_id=${spanId}]=debug`, true],
    ['another trace', `[trace_id=${spanId}]=debug`, false],
    ['baggage', '[tenant=acme]=debug', true],
    ['redacted baggage', '[token=secret]=debug', false],
    ['the text that replaces redacted baggage', '[token="[REDACTED]"]=debug,[token="[Redacted]"]=debug', true],
  ])('are tested with %s', (_, directives, expected) => {
    change = levelControl().set(directives)
    expect(inContext({ tenant: 'acme', token: 'secret' }, isDebugEnabled)).toBe(expected)
    expect(isDebugEnabled()).toBe(false)
  })

  test('are tested with the redacted attributes of withContext, except those of a LoggerProvider', () => {
    const attributes = { region: 'eu', token: 'secret', list: ['eu'] }
    change = levelControl().set('[token=secret]=debug,[list=eu]=debug')
    expect(withContext(attributes, isDebugEnabled)).toBe(false)
    change.revert()
    change = levelControl().set('[region=eu]=debug')
    expect(withContext(attributes, isDebugEnabled)).toBe(name !== 'a LoggerProvider')
  })
})

test('a serializer of the pino API applies to the values of conditions', () => {
  change = levelControl().set('[card=4111]=debug')
  expect(withContext({ card: '4111' }, () => pinoLogger.isLevelEnabled('debug'))).toBe(false)
  change.revert()
  change = levelControl().set('[card=serialized]=debug')
  expect(withContext({ card: '4111' }, () => pinoLogger.isLevelEnabled('debug'))).toBe(true)
})
