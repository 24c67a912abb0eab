import { describe, expect, test } from '@jest/globals'
import {
  circular,
  endlessProxy,
  getter,
  hostile,
  nested,
  Own,
  arrayWithLength,
  revoked,
  threw,
  thrower,
  traps,
} from '../support/values/hostile.ts'
import { createTestLogger, type ParsedLine } from '../support/files/test-logger.ts'

// Requirements: ERR1, ERR4, D4, D8
// Fault rows: 32
describe('hostile values never make a call throw or lose its record', () => {
  const { log, captureLine, diagnostics } = createTestLogger()

  test.each(hostile)('%s is written when it is a top-level attribute', (_, make, expected) => {
    const { message, attributes } = captureLine(() => log.info('m', { before: 1, value: make(), after: 2 }))
    expect(message).toBe('m')
    expect(attributes).toEqual({ before: 1, value: expected, after: 2 })
  })

  test.each(hostile)('%s is written when it is nested', (_, make, expected) => {
    const { attributes } = captureLine(() => log.info({ list: [{ value: make() }, 'after'] }, 'm'))
    expect(attributes).toEqual({ list: [{ value: expected }, 'after'] })
  })

  test.each(hostile)('%s is written when it is bound to a child', (_, make, expected) => {
    const { attributes } = captureLine(() => log.child({ value: make() }).info('m'))
    expect(attributes).toEqual({ value: expected })
  })

  test.each(hostile)('%s does not make a call throw in any other place', (_, make) => {
    const value = make()
    const calls: ((any: unknown) => void)[] = [
      (any) => log.info(any as string),
      (any) => log.info(any as object, 'm'),
      (any) => log.info('m', any),
      (any) => log.info('m', any, any, any),
      (any) => log.info('%s %d %i %f %j %o %O %c', any, any, any, any, any, any, any, any),
      (any) => log.info('{value} {value:json} {missing}' as string, { value: any }),
      (any) => log.info(() => any),
      (any) => log.info(() => [any, any, any]),
      (any) => log.error('m', { err: any, error: any, req: any, res: any }),
      (any) => log.error(any as Error, any as string),
      (any) => log.child(any as object).info('m'),
      (any) => log.info(Object.assign(new Error('outer', { cause: any }), { own: any })),
      (any) => log.info(new AggregateError([any, any], 'outer')),
    ]
    for (const call of calls) expect(() => captureLine(() => call(value))).not.toThrow()
  })

  test('members of the attributes that throw do not affect other members', () => {
    expect(captureLine(() => log.info('m', getter)).attributes).toEqual({ kept: 1, bad: threw })
    expect(captureLine(() => log.info('m', new Proxy({}, traps))).attributes).toEqual({ attributes: threw })
    expect(captureLine(() => log.info(circular(), 'm')).attributes).toEqual({ name: 'self', self: '[Circular]' })
    expect(captureLine(() => log.info({ toJSON: thrower }, 'm')).attributes).toEqual({ attributes: threw })
    expect(captureLine(() => log.info(new Own([['a', 1]]), 'm')).attributes).toEqual({ a: 1 })
  })

  test('hostile values cause no diagnostic and no dropped record', () => {
    expect(diagnostics).toEqual([])
    const { emitted, written, dropped } = log.stats()
    expect({ written, dropped: dropped.total }).toEqual({ written: emitted, dropped: 0 })
  })
})

// Requirements: D4, D20
// Fault rows: 33
describe('endless and huge values are truncated in bounded time', () => {
  const { log, captureLine } = createTestLogger()
  const timed = (use: () => void): ParsedLine => {
    const before = process.cpuUsage()
    const written = captureLine(use)
    const { user, system } = process.cpuUsage(before)
    // CPU time, because other programs may use the processor. An endless traversal never gets here.
    expect((user + system) / 1_000).toBeLessThan(10_000)
    return written
  }

  test('an object with 20,000 nested levels is truncated', () => {
    const written = JSON.stringify(timed(() => log.info('m', nested(20_000))).attributes)
    expect(written).toBe(`${'{"in":'.repeat(65)}"[Object: 1 keys]"${'}'.repeat(65)}`)
  })

  test.each([
    ['one child', ['in']],
    ['two children', ['a', 'b']],
    ['a thousand children', Array.from({ length: 1_000 }, (_, i) => `k${i}`)],
  ])('a proxy that has %s on each of endless levels is truncated', (_, members) => {
    expect(timed(() => log.info('m', { value: endlessProxy(members) })).message).toBe('m')
    expect(timed(() => log.info(endlessProxy(members), 'm')).message).toBe('m')
    expect(timed(() => log.child({ value: endlessProxy(members) }).info('m')).message).toBe('m')
  })

  test('a function that returns an endless argument list is truncated', () => {
    expect(timed(() => log.info(() => arrayWithLength(2 ** 40))).level).toBe('info')
    expect(timed(() => log.info(() => revoked([]))).message).toContain('revoked')
  })

  test('a huge object that is repeated a thousand times is written within the time limit', () => {
    const huge = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index]))
    const map = new Map(Object.entries(huge))
    for (const one of [huge, map]) {
      const list = Array<object>(1_000).fill(one)
      expect((timed(() => log.info('m', { list })).attributes!['list'] as unknown[]).at(-1)).toBe('[Object]')
    }
  })

  test('100,000 members and a chain of 20,000 causes are truncated', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]))
    expect(timed(() => log.info('m', { wide })).attributes!['wide']).toMatchObject({
      k999: 999,
      '[truncated]': '+99000 keys',
    })
    expect(timed(() => log.info('m', wide))['otel.dropped_attributes_count']).toBe(99_872)
    let error = new Error('first')
    for (let depth = 0; depth < 20_000; depth++) error = new Error('next', { cause: error })
    expect(timed(() => log.error('m', error)).attributes!['exception.stacktrace']).toContain('[More causes]')
    expect(timed(() => log.error('m', { other: error })).level).toBe('error')
    const many = Object.assign(new Error('x'), wide)
    expect(timed(() => log.error('m', { many })).attributes!['many']).toMatchObject({
      '[truncated]': expect.stringMatching(/^\+\d+ keys$/),
    })
  })
})

describe('forged fields and polluted prototypes', () => {
  const { log, captureLine } = createTestLogger({ name: 'scope' })
  const core = [
    'timestamp',
    'level',
    'severity_number',
    'message',
    'trace_id',
    'span_id',
    'attributes',
    'otel.scope.name',
    '__proto__',
    'constructor',
    'toString',
  ]
  const forged = Object.fromEntries(core.map((key) => [key, 'evil']))

  // Fault rows: 30
  test('attributes that have the names of record fields stay among the attributes', () => {
    for (const use of [
      () => log.info('m', forged),
      () => log.child(forged).info('m'),
      () => log.info('m', new Map(Object.entries(forged))),
    ]) {
      const { attributes, ...own } = captureLine(use)
      expect(own).toEqual({
        timestamp: '1970-01-01T00:00:00.000Z',
        level: 'info',
        message: 'm',
        'otel.scope.name': 'scope',
      })
      expect(new Set(Object.keys(attributes!))).toEqual(new Set(core))
    }
  })

  // Fault rows: 31
  test('names that every object inherits are not attributes', () => {
    expect(
      captureLine(() => log.info('{__proto__} {constructor} {toString} {hasOwnProperty}', {} as never)).message,
    ).toBe('{__proto__} {constructor} {toString} {hasOwnProperty}')
    expect(
      captureLine(() => log.info('{__proto__} {constructor}', JSON.parse('{"__proto__":1,"constructor":2}') as never))
        .message,
    ).toBe('1 2')
  })

  const logged = (): ParsedLine =>
    captureLine(() => log.child({ b: [{ c: 1 }] }).info('m {a}', { a: { d: new Map([['e', 1]]) } }))

  // Fault rows: 31
  test('a polluted Object.prototype does not change the record', () => {
    const before = logged()
    const polluted = Object.prototype as Record<string, unknown>
    try {
      for (const key of ['polluted', 'err', 'message', 'censor', 'cause', 'name']) polluted[key] = 'evil'
      expect(JSON.stringify(logged())).toBe(JSON.stringify(before))
    } finally {
      for (const key of ['polluted', 'err', 'message', 'censor', 'cause', 'name']) delete polluted[key]
    }
  })

  test('methods of a logger work when they are detached from it', () => {
    const { info, child } = log
    expect(captureLine(() => info('m')).message).toBe('m')
    expect(captureLine(() => child({ a: 1 }).info.call(undefined, 'm')).attributes).toEqual({ a: 1 })
  })
})
