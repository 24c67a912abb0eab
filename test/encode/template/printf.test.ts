import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { format as nodeFormat } from 'node:util'
import { formatPrintf, parsePrintf, type InsertValue } from '../../../src/encode/template/printf.ts'

const insert: InsertValue = (value, kind) => (kind === 'j' ? (JSON.stringify(value) ?? 'undefined') : `<${kind}>`)

function format(message: string, ...args: unknown[]): string {
  const parsed = parsePrintf(message)
  return parsed === undefined ? message : formatPrintf(parsed, args, insert).text
}

describe('agreement with util.format', () => {
  const messages = [
    '%s',
    '%d',
    '%i',
    '%f',
    '%j',
    'a %s b',
    '%s%s',
    '%s %d %%',
    '%%s %s',
    '%x %s',
    '%',
    '%s%',
    '100%% %s',
    '%c%s',
  ]
  const values = [
    'text',
    '',
    '42',
    '4.2e3',
    ' 7 ',
    '0x10',
    'NaN',
    '%s',
    0,
    1,
    -1.5,
    1e21,
    NaN,
    Infinity,
    true,
    false,
    null,
    undefined,
  ]

  test.each(messages)('scalars are formatted as by util.format in %j', (message) => {
    for (const value of values) {
      const args = [value, value].slice(
        0,
        parsePrintf(message)?.parts.filter((part) => typeof part !== 'string').length ?? 0,
      )
      expect([message, value, format(message, ...args)]).toEqual([message, value, nodeFormat(message, ...args)])
    }
  })

  test('any message is formatted with any scalars as by util.format', () => {
    const message = fc.string({ unit: fc.constantFrom('%', 's', 'd', 'i', 'f', 'c', 'x', ' ') })
    const scalars = fc.array(
      fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined)),
    )
    fc.assert(
      fc.property(message, scalars, (text, given) => {
        const parsed = parsePrintf(text)
        const count = parsed?.parts.filter((part) => typeof part !== 'string').length ?? 0
        const args = given.filter((value) => !isMinusZero(value)).slice(0, count)
        // Without placeholders util.format appends the arguments, so the count is limited.
        expect(format(text, ...args)).toBe(nodeFormat(text, ...args))
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('intended differences from util.format', () => {
  test.each<[string, unknown, string, string]>([
    ['%d', 10n, '10', '10n'],
    ['%i', 10n, '10', '10n'],
    ['%s', 10n, '10', '10n'],
    ['%d', 2n ** 64n, '18446744073709551616', '18446744073709551616n'],
    ['%d', -0, '0', '-0'],
    ['%s', -0, '0', '-0'],
    ['%s', { a: 1 }, '<s>', '{ a: 1 }'],
    ['%s', [1], '<s>', '[ 1 ]'],
    ['%s', Math.max, '<s>', 'function max() { [native code] }'],
    ['%s', { toString: () => 'own' }, '<s>', 'own'],
    ['%o', 'text', '<o>', "'text'"],
    ['%O', { a: 1 }, '<O>', '{ a: 1 }'],
  ])('%s of %p is %s, while util.format returns %s', (message, value, ours, nodes) => {
    expect(format(message, value)).toBe(ours)
    expect(nodeFormat(message, value)).toBe(nodes)
  })

  test('surplus arguments are counted and not appended', () => {
    const parsed = parsePrintf('%s')!
    expect(formatPrintf(parsed, ['a', 'b', 'c'], insert)).toEqual({ text: 'a', usedArgCount: 1 })
    expect(nodeFormat('%s', 'a', 'b', 'c')).toBe('a b c')
  })
})

describe('placeholders and arguments', () => {
  test('a placeholder without an argument is not replaced', () => {
    expect(format('%s %s %d %j', 'a')).toBe('a %s %d %j')
  })
  test('a message without arguments is not changed', () => {
    expect(format('100%% of %s')).toBe('100%% of %s')
  })
  test('%c consumes its argument and inserts nothing', () => {
    expect(formatPrintf(parsePrintf('%cred%c')!, ['color: red', ''], insert)).toEqual({ text: 'red', usedArgCount: 2 })
  })
  test('an inserted text is not parsed for placeholders', () => {
    expect(format('%s %s', '%s %%', 'x')).toBe('%s %% x')
  })
  test.each(['', 'plain', '100%', '100% sure', '%x', '% s', '5 %'])('the message %j has no placeholders', (message) => {
    expect(parsePrintf(message)).toBeUndefined()
  })
  test('%j writes undefined as text', () => {
    expect(format('%j', undefined)).toBe('undefined')
  })
})

describe('hostile arguments', () => {
  const hostile = {
    [Symbol.toPrimitive](): never {
      throw new Error('no primitive')
    },
  }
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const throwing = new Proxy({}, { get: () => hostile[Symbol.toPrimitive]() })
  const bare = Object.create(null) as object

  test.each<[string, unknown]>([
    ['an object whose conversion throws', hostile],
    ['a revoked proxy', revoked.proxy],
    ['a proxy whose traps throw', throwing],
    ['an object without a prototype', bare],
    ['a symbol', Symbol('s')],
  ])('%s is NaN for %%d, %%i and %%f', (_, value) => {
    expect(format('%d %i %f', value, value, value)).toBe('NaN NaN NaN')
    expect(format('%s %o %O %c', value, value, value, value)).toMatch(/^(<s>|Symbol\(s\)) <o> <O> $/)
  })

  test.each(['%d', '%i', '%f'])('%s calls no method of its argument', (placeholder) => {
    const calls: string[] = []
    const methods = Object.fromEntries(
      ['valueOf', 'toString', 'getTime', Symbol.toPrimitive].map((name) => [
        name,
        { value: () => calls.push(String(name)) },
      ]),
    )
    const withMethods = (value: object) => Object.defineProperties(value, methods)
    const tagged = ['Date', 'Number', 'String', 'Boolean'].map((tag) => ({ [Symbol.toStringTag]: tag }))
    for (const value of [...tagged, () => 1, {}, []]) expect(format(placeholder, withMethods(value))).toBe('NaN')
    for (const value of [new Number(1.5), new String('1.5')])
      expect(format(placeholder, withMethods(value))).toBe(placeholder === '%i' ? '1' : '1.5')
    expect(format(placeholder, withMethods(new Date(5)))).toBe(placeholder === '%d' ? '5' : 'NaN')
    expect(format(placeholder, withMethods(new Boolean(true)))).toBe(placeholder === '%d' ? '1' : 'NaN')
    expect(calls).toEqual([])
  })
})

/** Checks whether a placeholder converts a value to -0: util.format writes the sign, a log line does not. */
function isMinusZero(value: unknown): boolean {
  const text = String(value)
  return [value, Number(text), Number.parseInt(text, 10), Number.parseFloat(text)].some((number) =>
    Object.is(number, -0),
  )
}
