import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { context, propagation, ROOT_CONTEXT, type Context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import type { OtelLogRecordProcessor } from '../../../src/otel/api/types.ts'
import { emitting } from './emitting.ts'

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager()))
afterAll(() => context.disable())

/** Returns a context with baggage. */
function baggage(entries: Readonly<Record<string, string>>): Context {
  const values = Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, { value }]))
  return propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage(values))
}

/** A processor that changes nothing. */
const passive: OtelLogRecordProcessor = {
  onEmit: () => {},
  forceFlush: async () => {},
  shutdown: async () => {},
}

describe.each<[string, LoggerProviderOptions]>([
  ['without processors', {}],
  ['with a processor', { processors: [passive] }],
])('the option baggage of a provider %s', (_, options) => {
  test('copies entries of the context of a record, or else of the active context', () => {
    const { provider, emitted } = emitting({ baggage: ['tenant', 'user.*'], ...options })
    const logger = provider.getLogger('test')
    context.with(baggage({ tenant: 'active', 'user.id': '7', other: 'x' }), () => {
      logger.emit({ body: 'a' })
      logger.emit({ body: 'b', context: baggage({ tenant: 'own' }) })
      logger.emit({ body: 'c', attributes: { tenant: 'mine' } })
    })
    logger.emit({ body: 'd' })
    expect(emitted().map(({ attributes }) => Object.fromEntries(attributes))).toEqual([
      { tenant: { stringValue: 'active' }, 'user.id': { stringValue: '7' } },
      { tenant: { stringValue: 'own' } },
      { tenant: { stringValue: 'mine' }, 'user.id': { stringValue: '7' } },
      {},
    ])
  })

  test('redacts the entries and counts those over the limit', () => {
    const { provider, emitted } = emitting({
      baggage: ['*'],
      limits: { attributes: 2 },
      redact: { keys: ['secret'] },
      ...options,
    })
    context.with(baggage({ secret: 'canary', tenant: 'acme' }), () =>
      provider.getLogger('test').emit({ body: 'x', attributes: { call: 1 } }),
    )
    expect(Object.fromEntries(emitted()[0]!.attributes)).toEqual({
      call: { intValue: '1' },
      secret: { stringValue: '[REDACTED]' },
    })
    expect(emitted()[0]!.droppedAttributesCount).toBe(1)
  })
})

test('processors receive the entries of baggage and can change and delete them', () => {
  const seen: object[] = []
  const processor: OtelLogRecordProcessor = {
    ...passive,
    onEmit(record) {
      seen.push({ ...record.attributes })
      const attributes = record.attributes as Record<string, unknown>
      attributes['tenant'] = 'changed'
      delete attributes['user.id']
    },
  }
  const { provider, emitted } = emitting({ baggage: ['*'], processors: [processor] })
  context.with(baggage({ tenant: 'acme', 'user.id': '7' }), () => provider.getLogger('test').emit({ body: 'x' }))
  expect(seen).toEqual([{ tenant: 'acme', 'user.id': '7' }])
  expect(Object.fromEntries(emitted()[0]!.attributes)).toEqual({ tenant: { stringValue: 'changed' } })
})

test('createLoggerProvider rejects invalid names of baggage entries', () => {
  expect(() => createLoggerProvider({ baggage: ['a*b'] })).toThrow('baggage[0]: must be the name of an entry')
})
