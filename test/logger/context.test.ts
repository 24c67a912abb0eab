import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as later } from 'node:timers/promises'
import type { Logger } from '../../src/logger/types.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { createTestLogger } from '../support/files/test-logger.ts'

describe('withContext', () => {
  const { log, captureLine } = createTestLogger({ attributes: { a: 'logger' } })
  const attributesOf = (logger: Logger = log): unknown => captureLine(() => logger.info('m')).attributes

  test('withContext adds attributes to the records of every logger until its function returns, and returns its result', () => {
    const other = createTestLogger({ redact: ['secret'] })
    const result = withContext({ a: 'context', secret: 's' }, () => {
      expect(attributesOf()).toEqual({ a: 'context', secret: 's' })
      expect(attributesOf(log.child({ a: 'child', b: 1 }))).toEqual({ a: 'context', b: 1, secret: 's' })
      expect(other.captureLine(() => other.log.info('m')).attributes).toEqual({ a: 'context', secret: '[REDACTED]' })
      return 5
    })
    expect(result).toBe(5)
    expect(attributesOf()).toEqual({ a: 'logger' })
  })

  test('nested withContext calls merge their attributes, and the inner ones take precedence until the inner function ends', () => {
    withContext({ a: 1, b: 1 }, () => {
      withContext({ b: 2, c: 2 }, () => expect(attributesOf()).toEqual({ a: 1, b: 2, c: 2 }))
      expect(attributesOf()).toEqual({ a: 1, b: 1 })
      expect(() =>
        withContext({ b: 3 }, () => {
          throw new Error('x')
        }),
      ).toThrow('x')
      expect(attributesOf()).toEqual({ a: 1, b: 1 })
    })
  })

  test('withContext applies after await and is isolated from concurrent calls', async () => {
    const seen = await Promise.all(
      [1, 2, 3].map((id) =>
        withContext({ id }, async () => {
          await later(5 - id)
          const before = attributesOf()
          await Promise.resolve()
          return [before, attributesOf(), withContext({ inner: id }, () => attributesOf())]
        }),
      ),
    )
    expect(seen).toEqual(
      [1, 2, 3].map((id) => [
        { a: 'logger', id },
        { a: 'logger', id },
        { a: 'logger', id, inner: id },
      ]),
    )
    expect(attributesOf()).toEqual({ a: 'logger' })
  })

  test('withContext reads its attributes once, when it is called', () => {
    let read = 0
    const user = {
      id: 1,
      get name() {
        return `read ${++read}`
      },
    }
    withContext({ user, err: new Error('x') }, () => {
      user.id = 2
      const expected = {
        a: 'logger',
        user: { id: 1, name: 'read 1' },
        err: { type: 'Error', message: 'x', stacktrace: expect.any(String) },
      }
      expect(attributesOf()).toEqual(expected)
      expect(attributesOf(log.child({}))).toEqual(expected)
    })
  })

  test('attributes of withContext are subject to the serializers and limits of the logger that writes the record', () => {
    const bench = createTestLogger({
      serializers: { user: (value) => (value as { id: number }).id },
      limits: { attributes: 2, items: 2 },
    })
    withContext({ user: { id: 7, name: 'n' }, list: [1, 2, 3, 4], more: 1 }, () => {
      const written = bench.captureLine(() => bench.log.info('{user}'))
      expect(written).toMatchObject({
        message: '7',
        attributes: { user: 7, list: [1, 2, '[+2 items]'] },
        'otel.dropped_attributes_count': 1,
      })
    })
  })

  test('withContext accepts any value in place of the attributes', () => {
    for (const any of [undefined, null, 'text', 5, () => 1, Symbol('s')]) {
      expect(withContext(any as unknown as object, () => captureLine(() => log.info('m')).level)).toBe('info')
    }
  })
})

describe('trace context of the active span', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const spanId = 'b7ad6b7169203331'
  const storage = new AsyncLocalStorage<api.Context>()
  const manager: api.ContextManager = {
    active: () => storage.getStore() ?? api.ROOT_CONTEXT,
    with: (context, fn, self, ...args) => storage.run(context, () => fn.call(self, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  const inSpan = <T>(traceFlags: number, fn: () => T, ids = { traceId, spanId }): T =>
    api.context.with(api.trace.setSpan(api.context.active(), api.trace.wrapSpanContext({ ...ids, traceFlags })), fn)

  beforeAll(() => void api.context.setGlobalContextManager(manager))
  afterAll(() => api.context.disable())

  // Requirements: SDK12, TXT1
  test('records have the ids of the active span of @opentelemetry/api, also after await', async () => {
    const { log, captureLine } = createTestLogger()
    await inSpan(1, async () => {
      const ids = { trace_id: traceId, span_id: spanId, trace_flags: '01' }
      expect(captureLine(() => log.info('m'))).toMatchObject(ids)
      await later(1)
      expect(captureLine(() => log.child({}).info('m', { trace_id: 'evil' }))).toMatchObject({
        ...ids,
        attributes: { trace_id: 'evil' },
      })
    })
    expect(captureLine(() => log.info('m'))).not.toHaveProperty('trace_id')
  })

  // Requirements: TXT1
  test('records in consecutive spans have the ids and flags of their own span', () => {
    const { log, captureLine } = createTestLogger()
    const ids = { traceId: 'f'.repeat(32), spanId: 'e'.repeat(16) }
    expect(inSpan(1, () => captureLine(() => log.info('m')))['trace_flags']).toBe('01')
    expect(inSpan(0, () => captureLine(() => log.info('m')), ids)).toMatchObject({
      trace_id: ids.traceId,
      span_id: ids.spanId,
      trace_flags: '00',
    })
    expect(inSpan(1, () => captureLine(() => log.info('m')), { traceId: '0'.repeat(32), spanId })).not.toHaveProperty(
      'trace_id',
    )
  })

  test('records have no trace id when traceContext is false', () => {
    const { log, captureLine } = createTestLogger({ traceContext: false })
    expect(inSpan(1, () => captureLine(() => log.info('m')))).not.toHaveProperty('trace_id')
  })
})

test.each([
  [[() => 5], 'attributes: must be an object, not a function'],
  [[{ a: 1 }], 'fn: must be a function'],
  [[], 'fn: must be a function'],
])('withContext throws a ConfigurationError if its second argument is not a function: %p', (args, problem) => {
  expect(() => (withContext as (...given: unknown[]) => unknown)(...args)).toThrow(
    `SLUICE_CONFIG: withContext: ${problem}; write withContext({ requestId }, fn) (SLUICE_OPTION_TYPE)`,
  )
})
