import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { defineEvent } from '../../src/logger/events.ts'
import type { Logger } from '../../src/logger/types.ts'

interface OrderPlaced {
  readonly orderId: string
  readonly total: number
}

const types: { readonly attributes?: OrderPlaced } = {}
const orderPlaced = defineEvent('order.placed', {
  types,
  message: 'order {orderId} placed',
})

const paymentFailed = defineEvent('payment.failed', { level: 'error' })

function logged(use: (log: Logger) => void, options: Parameters<typeof createLogger>[0] = {}) {
  const exporter = memoryExporter()
  const log = createLogger({ exporter, clock: () => 1_795_254_963_123, ...options })
  use(log)
  return exporter.records
}

describe('an event', () => {
  // Requirements: EVT1, API7
  test('an event is written as a record with a name, a time, attributes and a message', () => {
    expect(logged((log) => orderPlaced(log, { orderId: 'o-1', total: 5 }))).toEqual([
      {
        timestamp: '2026-11-21T09:56:03.123Z',
        level: 'info',
        message: 'order o-1 placed',
        'otel.event.name': 'order.placed',
        attributes: { orderId: 'o-1', total: 5 },
      },
    ])
  })

  // Requirements: EVT1
  test('an event without a message has no body', () => {
    const [record] = logged((log) => paymentFailed(log, { orderId: 'o-1' }))
    expect(record).toMatchObject({ level: 'error', 'otel.event.name': 'payment.failed' })
    expect(record).not.toHaveProperty('message')
  })

  // Requirements: EVT1, EXC1
  test('an event that is logged with an Error has its exception attributes and error.type', () => {
    const [record] = logged((log) => paymentFailed(log, { orderId: 'o-1' }, new RangeError('too much')))
    expect(record!.attributes).toMatchObject({
      orderId: 'o-1',
      'error.type': 'RangeError',
      'exception.type': 'RangeError',
      'exception.message': 'too much',
    })
    const [own] = logged((log) => paymentFailed(log, { 'error.type': 'limit' }, new RangeError('too much')))
    expect(own!.attributes).toMatchObject({ 'error.type': 'limit' })
  })

  // Requirements: EXC1
  test('an event that is logged with a thrown value that is not an Error has its type and text', () => {
    expect(logged((log) => paymentFailed(log, {}, 'a string'))[0]!.attributes).toEqual({
      'exception.type': 'string',
      'exception.message': 'a string',
      'error.type': 'string',
    })
    expect(logged((log) => paymentFailed(log, { a: 1 }, null))[0]!.attributes).toEqual({ a: 1 })
  })

  test('an event that is logged through a child has the attributes of the child', () => {
    const [record] = logged((log) => orderPlaced(log.child({ region: 'eu' }), { orderId: 'o', total: 1 }))
    expect(record!.attributes).toEqual({ region: 'eu', orderId: 'o', total: 1 })
  })

  test('an event is redacted like any other record', () => {
    const [record] = logged((log) => orderPlaced(log, { orderId: 'canary', total: 1 }), { redact: ['orderId'] })
    expect(JSON.stringify(record)).not.toContain('canary')
  })

  test('an event is not written when its level is disabled', () => {
    expect(logged((log) => orderPlaced(log, { orderId: 'o', total: 1 }), { level: 'warn' })).toEqual([])
  })

  // Requirements: ERR1, ERR4
  test('logging an event never throws, even with a throwing getter or without a logger', () => {
    const hostile = {
      get orderId(): string {
        throw new Error('no')
      },
      total: 1,
    }
    expect(logged((log) => orderPlaced(log, hostile))).toHaveLength(1)
    expect(logged((log) => orderPlaced(log, undefined as never))).toHaveLength(1)
    expect(() => orderPlaced(undefined as never, hostile)).not.toThrow()
  })

  test("an event that is logged to another library's logger has its name among its attributes", () => {
    const calls: unknown[][] = []
    const foreign = { info: (...args: unknown[]) => void calls.push(args) } as unknown as Logger
    orderPlaced(foreign, { orderId: 'o', total: 1 })
    expect(calls).toEqual([[{ 'otel.event.name': 'order.placed', orderId: 'o', total: 1 }, 'order {orderId} placed']])
  })
})

test("a rejection of another library's asynchronous log method is handled", async () => {
  const rejections: unknown[] = []
  const listener = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', listener)
  const foreign = { info: () => Promise.reject(new Error('no disk')) } as unknown as Logger
  orderPlaced(foreign, { orderId: 'o', total: 1 })
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', listener)
  expect(rejections).toEqual([])
})

test.each(['off', 'none', 'silent'])(
  'defineEvent does not suggest `silent`, which it rejects, for the level %s',
  (level) => {
    expect(() => defineEvent('order.placed', { level: level as never })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/did you mean|; silent/) }),
    )
  },
)

test('an event definition exposes its name and level', () => {
  expect({ ...orderPlaced }).toEqual({ eventName: 'order.placed', level: 'info' })
})

test.each([
  ['has no name', '', {}, 'name'],
  ['has a name that is too long', 'x'.repeat(257), {}, 'name'],
  ['has a name that is not a string', 1, {}, 'name'],
  ['has an unknown level', 'order.placed', { level: 'loud' }, 'level'],
  ['has an unknown option', 'order.placed', { mesage: 'm' }, 'mesage'],
])('defineEvent throws when the definition %s', (_, name, options, path) => {
  expect(() => defineEvent(name as never, options as never)).toThrow(
    expect.objectContaining({ code: 'SLUICE_CONFIG', problems: [expect.objectContaining({ path })] }),
  )
})
