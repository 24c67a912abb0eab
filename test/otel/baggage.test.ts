import { afterEach, describe, expect, test } from '@jest/globals'
import * as api110 from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import * as api19 from 'opentelemetry-api-1-9'
import {
  activeBaggage,
  activeBaggageEntry,
  baggageEntries,
  baggageEntry,
  baggageIn,
} from '../../src/otel/api/baggage.ts'
import { rootContext } from '../../src/otel/api/root-context.ts'

const globalKey = Symbol.for('opentelemetry.js.api.1')
const shared = globalThis as unknown as Record<symbol, unknown>

afterEach(() => {
  delete shared[globalKey]
})

const throws = (): never => {
  throw new Error('trap')
}
const rejects = () => Promise.reject(new Error('late'))

/** Runs a test and returns the rejections that nothing handled. */
async function unhandledRejectionsOf(run: () => void): Promise<readonly unknown[]> {
  const unhandled: unknown[] = []
  const listener = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', listener)
  run()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', listener)
  return unhandled
}

describe.each([
  ['1.10', api110],
  ['1.9', api19 as unknown as typeof api110],
])('with @opentelemetry/api %s', (_, api) => {
  const { context, propagation } = api
  const tenant = propagation.createBaggage({ tenant: { value: 'acme' }, 'user.id': { value: '7' } })

  test('the entries of the active baggage are returned, also in asynchronous code', async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    expect(activeBaggage()).toBeUndefined()
    expect(activeBaggageEntry('tenant')).toBeUndefined()
    await context.with(propagation.setBaggage(context.active(), tenant), async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      expect(activeBaggage()).toBe(tenant)
      expect(activeBaggageEntry('tenant')).toBe('acme')
      expect(activeBaggageEntry('other')).toBeUndefined()
      expect([...baggageEntries(activeBaggage()!)]).toEqual([
        ['tenant', 'acme'],
        ['user.id', '7'],
      ])
    })
    expect(activeBaggage()).toBeUndefined()
  })

  test('the baggage of a context is returned without a context manager', () => {
    const withTenant = propagation.setBaggage(api.ROOT_CONTEXT, tenant)
    expect(baggageIn(withTenant)).toBe(tenant)
    expect(baggageEntry(baggageIn(withTenant), 'user.id')).toBe('7')
    expect(baggageIn(api.ROOT_CONTEXT)).toBeUndefined()
    expect(baggageIn(rootContext)).toBeUndefined()
  })
})

describe('invalid baggage', () => {
  const hostile = new Proxy({}, { get: throws, has: throws, getPrototypeOf: throws })

  test.each<[string, unknown]>([
    ['text', 'tenant=acme'],
    ['null', null],
    ['an object without methods', {}],
    ['a proxy whose traps throw', hostile],
    ['an object whose methods throw', { getEntry: throws, getAllEntries: throws }],
    ['an object whose methods reject', { getEntry: rejects, getAllEntries: rejects }],
    ['an object whose methods return text', { getEntry: () => 'acme', getAllEntries: () => 'acme' }],
    [
      'entries that are numbers',
      { getEntry: () => 5, getAllEntries: () => [5, ['tenant', 5], [5, { value: 'acme' }]] },
    ],
    ['entries whose values are not text', baggageOf({ tenant: 5, user: {}, role: undefined })],
    ['entries that are proxies whose traps throw', { getEntry: () => hostile, getAllEntries: () => [hostile] }],
    ['entries whose values reject', { getEntry: rejects, getAllEntries: () => [['tenant', rejects()]] }],
  ])('no entry is returned if the baggage is %s', async (_, baggage) => {
    shared[globalKey] = { context: { active: () => ({ getValue: () => baggage }) } }
    const unhandled = await unhandledRejectionsOf(() => {
      expect(activeBaggageEntry('tenant')).toBeUndefined()
      const found = activeBaggage()
      expect(found === undefined ? [] : [...baggageEntries(found)]).toEqual([])
    })
    expect(unhandled).toEqual([])
  })

  test.each<[string, () => unknown]>([
    ['the context throws', () => ({ getValue: throws })],
    ['the context returns a promise that rejects', () => ({ getValue: rejects })],
    ['the context is a promise that rejects', rejects],
    ['the context is a number', () => 5],
  ])('no baggage is returned if %s', async (_, active) => {
    shared[globalKey] = { context: { active } }
    const unhandled = await unhandledRejectionsOf(() => {
      expect(activeBaggage()).toBeUndefined()
      expect(activeBaggageEntry('tenant')).toBeUndefined()
    })
    expect(unhandled).toEqual([])
  })

  test('entries before one that cannot be read are returned', () => {
    const entries = [['tenant', { value: 'acme' }], hostile, ['role', { value: 'admin' }]]
    expect([...baggageEntries({ getAllEntries: () => entries })]).toEqual([['tenant', 'acme']])
  })

  test('at most 1,000 entries are read', () => {
    const entries = Array.from({ length: 2_000 }, (_, index) => [`entry${index}`, { value: 'x' }])
    expect(baggageEntries({ getAllEntries: () => entries }).size).toBe(1_000)
  })

  test('a method on Object.prototype is not used as a method of baggage', () => {
    // oxlint-disable-next-line no-extend-native
    Object.defineProperty(Object.prototype, 'getEntry', { value: () => ({ value: 'evil' }), configurable: true })
    try {
      expect(baggageEntry({}, 'tenant')).toBeUndefined()
    } finally {
      delete (Object.prototype as { getEntry?: unknown }).getEntry
    }
  })
})

function baggageOf(values: Readonly<Record<string, unknown>>): object {
  return {
    getEntry: (name: string) => ({ value: values[name] }),
    getAllEntries: () => Object.entries(values).map(([name, value]) => [name, { value }]),
  }
}
