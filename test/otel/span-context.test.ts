import { afterEach, describe, expect, test } from '@jest/globals'
import * as api110 from '@opentelemetry/api'
import { AsyncLocalStorage } from 'node:async_hooks'
import * as api19 from 'opentelemetry-api-1-9'
import { activeSpanContext, spanContextIn } from '../../src/otel/api/span-context.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const sampled = { traceId, spanId, traceFlags: 1 }

/** A minimal context manager. */
class AsyncContextManager implements api110.ContextManager {
  private readonly storage = new AsyncLocalStorage<api110.Context>()
  active(): api110.Context {
    return this.storage.getStore() ?? api110.ROOT_CONTEXT
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: api110.Context,
    fn: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.storage.run(context, () => fn.call(self, ...args))
  }
  bind<T>(_: api110.Context, target: T): T {
    return target
  }
  enable(): this {
    return this
  }
  disable(): this {
    return this
  }
}

const globalKey = Symbol.for('opentelemetry.js.api.1')
const shared = globalThis as unknown as Record<symbol, unknown>

afterEach(() => {
  delete shared[globalKey]
})

const throws = (): never => {
  throw new Error('trap')
}

test.each(['active', 'getValue', 'spanContext'])(
  'a proxy whose traps throw is ignored when %s returns it',
  (method) => {
    const hostile = new Proxy({}, { get: throws, getPrototypeOf: throws })
    const call = (name: string, usual: unknown): unknown => (name === method ? hostile : usual)
    const span = { spanContext: () => call('spanContext', sampled) }
    const context = { getValue: () => call('getValue', span) }
    shared[globalKey] = { context: { active: () => call('active', context) } }
    expect(activeSpanContext()).toBeUndefined()
    expect(spanContextIn(call('active', context) as never)).toBeUndefined()
  },
)

describe.each([
  ['1.10', api110],
  ['1.9', api19 as unknown as typeof api110],
])('with @opentelemetry/api %s', (_, { context, trace }) => {
  const inSpan = <T>(spanContext: api110.SpanContext, fn: () => T) =>
    context.with(trace.setSpan(context.active(), trace.wrapSpanContext(spanContext)), fn)

  // Requirements: SDK12
  test('the active span context is returned, also in asynchronous code', async () => {
    expect(context.setGlobalContextManager(new AsyncContextManager())).toBe(true)
    expect(activeSpanContext()).toBeUndefined()
    await inSpan(sampled, async () => {
      expect(activeSpanContext()).toEqual(sampled)
      await new Promise((resolve) => setTimeout(resolve, 1))
      expect(activeSpanContext()).toEqual(sampled)
      const inner = { ...sampled, spanId: '00f067aa0ba902b7', traceFlags: 0 }
      inSpan(inner, () => expect(activeSpanContext()).toEqual(inner))
      expect(activeSpanContext()).toEqual(sampled)
    })
    expect(activeSpanContext()).toBeUndefined()
  })

  // Requirements: DM9, DM10
  test('a span context with invalid IDs is ignored', () => {
    context.setGlobalContextManager(new AsyncContextManager())
    const invalid: readonly object[] = [
      { traceId: '0'.repeat(32) },
      { spanId: '0'.repeat(16) },
      { traceId: traceId.slice(1) },
      { spanId: `${spanId}0` },
      { traceId: traceId.replace('a', 'g') },
      { traceId: '' },
      { spanId: undefined },
    ]
    for (const part of invalid) {
      expect(inSpan({ ...sampled, ...part }, activeSpanContext)).toBeUndefined()
      expect(inSpan(sampled, activeSpanContext)).toEqual(sampled)
    }
  })
})

// Requirements: DM8, DM9
test('IDs are converted to lower case, and trace flags to eight bits', () => {
  register(() => ({ traceId: traceId.toUpperCase(), spanId: spanId.toUpperCase(), traceFlags: 0x1ff }))
  expect(activeSpanContext()).toEqual({ traceId, spanId, traceFlags: 0xff })
  register(() => ({ traceId, spanId }))
  expect(activeSpanContext()).toEqual({ traceId, spanId, traceFlags: 0 })
})

test('a span context that cannot be read never returns the IDs of an earlier span', () => {
  register(() => sampled)
  expect(activeSpanContext()).toEqual(sampled)
  const hostile = Object.defineProperty({}, 'traceId', { get: thrower })
  for (const context of [hostile, null]) {
    register(() => context)
    expect([activeSpanContext(), activeSpanContext()]).toEqual([undefined, undefined])
  }
})

describe('invalid global contexts', () => {
  test.each<[string, unknown]>([
    ['nothing is registered', undefined],
    ['the global is not an object', 5],
    ['no context manager is registered', { version: '1.10.0' }],
    ['the context manager has no active()', { context: {} }],
    ['no context is active', { context: { active: () => undefined } }],
    ['the context manager throws', { context: { active: thrower } }],
    ['the context throws', { context: { active: () => ({ getValue: thrower }) } }],
    ['the span has no spanContext()', { context: { active: () => ({ getValue: () => ({}) }) } }],
    ['the span throws', { context: { active: () => ({ getValue: () => ({ spanContext: thrower }) }) } }],
    ['the span context is null', { context: { active: () => ({ getValue: () => ({ spanContext: () => null }) }) } }],
  ])('activeSpanContext returns undefined if %s', (_, global) => {
    shared[globalKey] = global
    expect(activeSpanContext()).toBeUndefined()
  })
})

function register(spanContext: () => unknown): void {
  shared[globalKey] = { context: { active: () => ({ getValue: () => ({ spanContext }) }) } }
}

function thrower(): never {
  throw new Error('no')
}
