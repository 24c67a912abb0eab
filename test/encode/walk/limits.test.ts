import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { Limits } from '../../../src/values/limits.ts'
import { withContext } from '../../../src/platform/node/with-context.ts'
import { descriptions, keys, nastyText } from '../../support/values/arbitraries.ts'
import { build } from '../../support/build.ts'
import { createTestLogger, type ParsedLine } from '../../support/files/test-logger.ts'

const numbered = (count: number, from = 0): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, index]))

const count = 'otel.dropped_attributes_count'
const redacted = (text: string) => text.replaceAll('joe@example.com', '[REDACTED]')
const isBound = (key: string) => key.startsWith('k')

describe('markers for truncated values', () => {
  const limits: Limits = { depth: 3, items: 2, stringLength: 4 }
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ['a string', 'abcdefg', 'abcd…[+3 characters]'],
    ['a string, never in the middle of a pair', 'abc😀def', 'abc…[+5 characters]'],
    ['a string in a box', Object('abcdefg'), 'abcd…[+3 characters]'],
    ['bytes', new Uint8Array([1, 2, 3, 4, 5]), 'AQIDBA==…[+1 bytes]'],
    ['an array', [1, 2, 3, 4], [1, 2, '[+2 items]']],
    ['a Set', new Set([1, 2, 3, 4]), [1, 2, '[+2 items]']],
    ['a typed array', new Float64Array(5), [0, 0, '[+3 items]']],
    ['members', { a: 1, b: 2, c: 3 }, { a: 1, b: 2, '[truncated]': '+1 keys' }],
    ['a Map', new Map(Object.entries({ a: 1, b: 2, c: 3 })), { a: 1, b: 2, '[truncated]': '+1 keys' }],
    [
      'a Map with other keys',
      new Map([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
      [[1, 2], [3, 4], '[+1 items]'],
    ],
    [
      'the members of an Error',
      Object.assign(Object.create(Error.prototype) as Error, { a: 1, b: 2, c: 3 }),
      { type: 'Erro…[+1 characters]', message: '', a: 1, b: 2, '[truncated]': '+1 keys' },
    ],
    ['levels', { a: { b: { c: { d: 1 } } } }, { a: { b: { c: '[Object: 1 keys]' } } }],
    ['levels of arrays', [[[[1, 2, 3]]]], [[['[Array: 3 items]']]]],
    ['levels above a Set', [[[new Set([1, 2, 3])]]], [[['[Array: 3 items]']]]],
    ['levels above a Map', [[[new Map([['a', 1]])]]], [[['[Object: 1 keys]']]]],
  ]
  const { log, captureLine } = createTestLogger({ limits })

  test.each(cases)('a value over a limit is truncated with a marker that counts the rest: %s', (_, value, expected) => {
    // The depth of a top-level attribute is 1.
    expect(captureLine(() => log.info('m', { value })).attributes).toEqual({
      value: JSON.parse(JSON.stringify(expected)) as unknown,
    })
  })

  // An Error is plain data when the limits of a logger apply to a context, and its members count like any others.
  test.each(cases.filter(([name]) => !name.includes('Error')))(
    'a bound value over a limit is truncated once: %s',
    (_, value, expected) => {
      const attributes = { value: expected }
      expect(captureLine(() => log.child({ value }).info('m')).attributes).toEqual(attributes)
      expect(
        captureLine(() =>
          log
            .child({ value })
            .child({}, { redact: ['x'] })
            .info('m'),
        ).attributes,
      ).toEqual(attributes)
      expect(captureLine(() => withContext({ value }, () => log.info('m'))).attributes).toEqual(attributes)
      expect(
        captureLine(() => withContext({ value }, () => log.child({}, { redact: ['x'] }).info('m'))).attributes,
      ).toEqual(attributes)
    },
  )
})

describe('limits for texts in which a pattern matches', () => {
  const options = { redact: { patterns: ['email'] }, limits: { stringLength: 20 } } as const
  const { log, captureLine } = createTestLogger(options)

  test('`stringLength` does not cut the exception of a record, whether a pattern matches in it or not', () => {
    for (const name of ['joe@example.com', 'nobody']) {
      const message = `the account of ${name} is closed until further notice`
      const cause = new Error(`caused by ${name}, who did not answer`)
      const error = Object.assign(new Error(message, { cause }), { name: `AccountErrorOf ${name} ${'x'.repeat(30)}` })
      const { attributes } = captureLine(() => log.error('m', error))
      expect(attributes).toMatchObject({
        'exception.type': redacted(error.name),
        'exception.message': redacted(message),
        'exception.stacktrace': expect.stringContaining(redacted(`Caused by: Error: ${cause.message}`)),
      })
    }
  })

  test('a text that is too long only after redaction is cut with a marker', () => {
    expect(captureLine(() => log.info('m', { value: 'is 1234567890 a@b.co' })).attributes).toEqual({
      value: 'is 1234567890 [REDAC…[+4 characters]',
    })
  })

  test.each([
    ['a symbol', Symbol('of joe@example.com and of others'), 'Symbol(of [REDACTED]…[+20 characters]'],
    ['a symbol without a match', Symbol('of no one and of others'), 'Symbol(of no one and…[+11 characters]'],
    [
      'a function',
      { 'joe@example.com does it': () => {} }['joe@example.com does it'],
      '[Function: [REDACTED]…[+15 characters]',
    ],
  ])('%s is cut with a marker', (_, value, expected) => {
    expect(captureLine(() => log.info('m', { value, values: [value] })).attributes).toEqual({
      value: expected,
      values: [expected],
    })
  })
})

// Requirements: LIM3
describe('the number of attributes', () => {
  // Requirements: LIM1, TXT4
  test('a record has at most 128 attributes by default, and the others are counted', () => {
    const { log, captureLine } = createTestLogger()
    const written = captureLine(() => log.info('m', numbered(200)))
    expect(Object.keys(written.attributes!)).toHaveLength(128)
    expect(written[count]).toBe(72)
    expect(captureLine(() => log.info('m', numbered(128)))).not.toHaveProperty([count])
  })

  test('the limit applies to the attributes of all sources together, and a repeated key counts once', () => {
    const { log, captureLine } = createTestLogger({
      limits: { attributes: 10 },
      attributes: numbered(4),
      enrich: () => numbered(2, 20),
    })
    const child = log.child(numbered(4, 2)) // k0 to k5
    const written = captureLine(() => child.info('m', { k0: 'call', ...numbered(3, 8), k1: 'call' })) // k8 k9 k10, k20
    expect(Object.keys(written.attributes!).toSorted()).toEqual([
      'k0',
      'k1',
      'k10',
      'k2',
      'k20',
      'k3',
      'k4',
      'k5',
      'k8',
      'k9',
    ])
    expect(written.attributes).toMatchObject({ k0: 'call', k1: 'call', k2: 0 })
    expect(written[count]).toBe(1)
  })

  test('the limit applies to children and contexts, and a call can still replace a bound attribute', () => {
    const { log, captureLine } = createTestLogger({ limits: { attributes: 3 } })
    const child = log.child(numbered(2)).child(numbered(3, 1)).child({ late: 1 })
    const written = captureLine(() =>
      withContext({ k2: 'context', more: 1 }, () => child.info('m', { k0: 'call', x: 1 })),
    )
    expect(written.attributes).toEqual({ k0: 'call', k1: 0, k2: 'context' })
    expect(written[count]).toBe(4) // k3, late, more, x
  })

  test('a bound attribute that the call sets is kept, whatever its position in the call', () => {
    const names = fc.uniqueArray(fc.constantFrom('k0', 'k1', 'k2', 'a', 'b', 'c', 'd'))
    const value = fc.constantFrom('call', undefined)
    const calls = names.chain((keys) => fc.tuple(fc.constant(keys), fc.array(value, { minLength: 7, maxLength: 7 })))
    fc.assert(
      fc.property(calls, fc.integer({ min: 3, max: 6 }), fc.boolean(), ([keys, values], attributes, isMap) => {
        const { log, captureLine } = createTestLogger({ limits: { attributes } })
        const call = new Map(keys.map((key, index) => [key, key.startsWith('k') ? values[index] : 'call']))
        const written = captureLine(() => log.child(numbered(3)).info('m', isMap ? call : Object.fromEntries(call)))
        const set = keys.filter((key) => call.get(key) !== undefined)
        const added = set.filter((key) => !isBound(key)).slice(0, attributes - 3)
        expect(written.attributes).toEqual({
          ...numbered(3),
          ...Object.fromEntries([...set.filter(isBound), ...added].map((key) => [key, 'call'])),
        })
        const dropped = set.filter((key) => !isBound(key)).length - added.length
        expect(written[count]).toBe(dropped === 0 ? undefined : dropped)
      }),
    )
  })

  // Requirements: D7
  test('exception attributes of a logger of createLogger do not count', () => {
    const { log, captureLine } = createTestLogger({ limits: { attributes: 1 } })
    expect(captureLine(() => log.error('m', { a: 1, b: 2 }, new Error('x'))).attributes).toMatchObject({
      a: 1,
      'exception.type': 'Error',
    })
  })
})

describe('recordBytes', () => {
  const recordBytes = 1_024
  const { log, exporter } = createTestLogger({ limits: { recordBytes }, name: 'scope' })
  const write = (use: () => void): { bytes: number; line: ParsedLine } => {
    exporter.clear()
    use()
    return { bytes: Buffer.byteLength(exporter.text()), line: JSON.parse(exporter.lines()[0]!) as ParsedLine }
  }

  test('recordBytes truncates the largest attributes first', () => {
    const { bytes, line } = write(() =>
      log.info('m', { small: 'stays', large: 'x'.repeat(5_000), list: Array<number>(100).fill(7) }),
    )
    expect(bytes).toBeLessThanOrEqual(recordBytes)
    expect(bytes).toBeGreaterThan(recordBytes - 100)
    expect(line).toMatchObject({
      level: 'info',
      message: 'm',
      attributes: { small: 'stays', list: Array<number>(100).fill(7) },
    })
    const large = line.attributes!['large'] as string
    expect(large).toMatch(/^x+…\[\+\d+ characters\]$/)
    expect(large.indexOf('…') + Number(/\d+/.exec(large)![0])).toBe(5_000)
  })

  test('recordBytes replaces values other than strings as a whole', () => {
    const { line } = write(() => log.info('m', { list: Array<number>(5_000).fill(7), small: 1 }))
    expect(line.attributes).toEqual({ list: expect.stringMatching(/^\[Cut: \d{4} bytes\]$/), small: 1 })
  })

  test('recordBytes truncates the message when truncating attributes is not sufficient', () => {
    const { line } = write(() => log.info('"'.repeat(5_000), { a: 1 }))
    expect(line.message).toMatch(/^"+…\[\+\d+ characters\]$/)
    expect(line.attributes).toEqual({ a: 1 })
  })

  test('recordBytes never truncates the level, the time, the trace context or a short exception type', () => {
    class TooMuchError extends Error {}
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`a long name of an attribute ${index}`, index]),
    )
    const { bytes, line } = write(() => log.error('what happened', many, new TooMuchError('x'.repeat(3_000))))
    expect(bytes).toBeLessThanOrEqual(recordBytes)
    expect(line).toMatchObject({
      timestamp: expect.any(String),
      level: 'error',
      message: 'what happened',
      'otel.scope.name': 'scope',
    })
    expect(line.attributes).toEqual({ 'exception.type': 'TooMuchError', '[truncated]': '+122 keys' })
    const { line: named } = write(() =>
      log.error('m', many, Object.assign(new Error('x'), { name: 'N'.repeat(9_000) })),
    )
    expect(named.attributes!['exception.type']).toMatch(/^N{100,}…\[\+\d+ characters\]$/)
    const { line: whole } = write(() =>
      log.error('x'.repeat(5_000), Object.assign(new Error('x'), { name: 'N'.repeat(500), stack: 'short' })),
    )
    expect(whole.attributes!['exception.type']).toBe('N'.repeat(500))
  })

  // Fault rows: 28
  test('no line is longer than recordBytes, for any record', () => {
    const longText = nastyText.chain((text) => fc.integer({ min: 0, max: 900 }).map((times) => text.repeat(times)))
    const long = fc.oneof(longText, fc.array(fc.nat(), { maxLength: 600 }), descriptions.map(build))
    const members = fc.oneof(
      fc.dictionary(fc.oneof(keys, fc.constantFrom('err', 'x'.repeat(300), '"'.repeat(300))), long, { maxKeys: 8 }),
      fc.tuple(fc.integer({ min: 20, max: 200 }), fc.integer({ min: 1, max: 40 })).map(([many, width]) => {
        return Object.fromEntries(Array.from({ length: many }, (_, index) => [`${'k'.repeat(width)}${index}`, index]))
      }),
    )
    const limit = fc.integer({ min: 1_024, max: 4_000 })
    fc.assert(
      fc.property(limit, members, fc.oneof(nastyText, longText), fc.boolean(), (limit, attributes, message, fails) => {
        const bench = createTestLogger({ limits: { recordBytes: limit } })
        const error = Object.assign(new Error(message), { own: attributes })
        bench.log.child({ bound: attributes }).info(message, attributes, fails ? error : undefined)
        const text = bench.exporter.text()
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
        const line = JSON.parse(text) as ParsedLine
        expect(line.level).toBe('info')
        expect(fails ? line.attributes?.['exception.type'] : 'Error').toBe('Error')
      }),
      { numRuns: 400 },
    )
  })
})

describe('strings that exceed recordBytes', () => {
  const huge = 50_000_000

  test.each<[string, (text: string) => [string, object?]]>([
    ['an attribute', (text) => ['m', { text }]],
    ['the message', (text) => [text]],
  ])('a huge string is counted completely, and only its beginning is processed: %s', (_name, call) => {
    const { log, captureLine } = createTestLogger({ limits: { recordBytes: 2_000 } })
    const written = captureLine(() => log.info(...(call('x'.repeat(huge)) as [string])))
    const [text = ''] = Object.values(written.attributes ?? { message: written.message }) as string[]
    const [, kept = '', missing] = /^(x*)…\[\+(\d+) characters\]$/.exec(text) ?? []
    expect(kept.length + Number(missing)).toBe(huge)
  })
})
