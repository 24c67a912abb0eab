import { describe, expect, test } from '@jest/globals'
import { runInNewContext } from 'node:vm'
import { captureLogs } from '../../src/create/capture-logs.ts'
import type { LogQuery } from '../../src/testing/log-query.ts'
import { matchers } from '../../src/testing/matchers.ts'

expect.extend(matchers)

function captured() {
  const logs = captureLogs({ name: 'shop' })
  logs.logger.info('order 7 placed', { orderId: 7, items: [{ sku: 'a', at: new Date(0) }], big: 12n, none: null })
  logs.logger.error('could not charge', new RangeError('card declined'), { orderId: 7 })
  return logs
}

/** Returns a regular expression of another realm. */
function expression(source: string): RegExp {
  return runInNewContext(source) as RegExp
}

describe('log queries', () => {
  test.each<[string, LogQuery]>([
    ['its message', { message: 'order 7 placed' }],
    ['a regular expression for its message', { message: /order \d/g }],
    ['a function of its message', { message: (text) => text.endsWith('placed') }],
    ['its level', { level: 'info' }],
    ['some of its attributes', { attributes: { orderId: 7, items: [{ sku: 'a' }] } }],
    ['regular expressions for its attributes', { attributes: { items: [{ sku: /^A$/i, at: new Date(0) }], big: 12n } }],
    [
      'functions and asymmetric matchers for its attributes',
      { attributes: { orderId: expect.any(Number), big: (x: string) => x > '1' } },
    ],
    ['an attribute that is null', { attributes: { none: null } }],
    ['an attribute that is missing', { attributes: { other: undefined } }],
    ['its scope name', { scopeName: 'shop' }],
    ['the absence of an exception', { error: false, level: 'info' }],
  ])('a query matches a record without an exception by %s', (_, query) => {
    const logs = captured()
    expect(logs.find(query)).toBe(logs.records[0])
    expect(logs).toHaveLogged(query)
    expect(logs).not.toHaveLoggedNothing(query)
  })

  test('a regular expression of another realm is a condition for text', () => {
    const logs = captured()
    expect(logs.filter(expression('/no such message/'))).toEqual([])
    expect(logs.filter(expression('/order \\d/'))).toEqual([logs.records[0]])
    expect(logs.filter({ error: expression('/no such error/') })).toEqual([])
    expect(logs.filter({ error: expression('/declined/') })).toEqual([logs.records[1]])
  })

  test.each<[string, LogQuery]>([
    ['its minimum level', { minimumLevel: 'warn' }],
    ['the presence of an exception', { error: true }],
    ['the message of its exception', { error: 'card declined' }],
    ['the type of its exception', { error: { type: 'RangeError', message: /declined/ } }],
    ['the stack of its exception', { error: { stacktrace: /matchers\.test/ } }],
  ])('a query matches an error record by %s', (_, query) => {
    const logs = captured()
    expect(logs.filter(query)).toEqual([logs.records[1]])
  })

  test.each<[string, LogQuery]>([
    ['another level', { level: 'warn', message: 'order 7 placed' }],
    ['a string that is only a part of the message', { message: 'order 7' }],
    ['a shorter array', { attributes: { items: [] } }],
    ['a missing member', { attributes: { items: [{ price: 1 }] } }],
    ['a member of Object.prototype', { attributes: { toString: /./ } }],
    ['an object in place of an array', { attributes: { items: { 0: { sku: 'a' } } } }],
    ['a string in place of a number', { attributes: { orderId: '7' } }],
    ['a trace id when the record has none', { traceId: /./ }],
    ['another exception type', { error: { type: 'TypeError' } }],
  ])('a query matches no record when it specifies %s', (_, query) => {
    expect(captured().filter(query)).toEqual([])
    expect(captured()).not.toHaveLogged(query)
    expect(captured()).toHaveLoggedNothing(query)
  })

  test('`toHaveLoggedTimes` compares the number of matching records', () => {
    expect(captured()).toHaveLoggedTimes(2)
    expect(captured()).toHaveLoggedTimes(2, { attributes: { orderId: 7 } })
    expect(captured()).not.toHaveLoggedTimes(2, 'order 7 placed')
    expect(captureLogs()).toHaveLoggedNothing()
    expect(captureLogs()).toHaveLoggedTimes(0)
  })
})

const isEven = (n: number): boolean => n % 2 === 0

/** Returns the message of a failed expectation. */
function failureMessage(expectation: () => void): string {
  try {
    expectation()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it held')
}

describe('failure messages of the matchers', () => {
  test('a failure message lists the nearest records first, with their differences', () => {
    const query = { level: 'info', message: /order/, attributes: { orderId: 8 } }
    const message = failureMessage(() => expect(captured()).toHaveLogged(query))
    expect(message).toBe(
      `expected a record with {"level":"info","message":"/order/","attributes":{"orderId":8}}, but none of 2 records matches; the closest:
  info "order 7 placed" {"orderId":7,"items":[{"sku":"a","at":"1970-01-01T00:00:00.000Z"}],"big":"12","none":null}
    attributes.orderId: expected 8, got 7
  error "could not charge" {"orderId":7} [RangeError: card declined]
    level: expected "info", got "error"
    message: expected /order/, got "could not charge"
    attributes.orderId: expected 8, got 7`,
    )
  })

  test('a failure message prints the query, including regular expressions and functions', () => {
    const attributes = { orderId: isEven, big: 1n, at: /x/, any: expect.any(Number) }
    expect(failureMessage(() => expect(captureLogs()).toHaveLogged({ attributes }))).toContain(
      'with {"attributes":{"orderId":"a value accepted by isEven()","big":"1","at":"/x/","any":"Any<Number>"}}',
    )
  })

  test('a failure message reports that nothing was logged', () => {
    expect(failureMessage(() => expect(captureLogs()).toHaveLogged('a'))).toBe(
      'expected a record with {"message":"a"}, but nothing was logged',
    )
  })

  test('a failure message lists the unexpected records', () => {
    const message = `logged 1 record:\n  error "could not charge" {"orderId":7} [RangeError: card declined]`
    expect(failureMessage(() => expect(captured()).toHaveLoggedNothing({ minimumLevel: 'warn' }))).toBe(
      `expected nothing with {"minimumLevel":"warn"}, but ${message}`,
    )
    expect(failureMessage(() => expect(captured()).not.toHaveLogged({ level: 'error' }))).toBe(
      `expected no record with {"level":"error"}, but ${message}`,
    )
  })

  test('a failure message reports the expected and the actual number of records', () => {
    expect(failureMessage(() => expect(captured()).toHaveLoggedTimes(3, { level: 'error' }))).toMatch(
      /^expected 3 records with \{"level":"error"\}, but logged 1 record:\n {2}error "could/,
    )
    expect(failureMessage(() => expect(captured()).not.toHaveLoggedTimes(1, { level: 'error' }))).toMatch(
      /^expected any count but 1 record with/,
    )
    expect(failureMessage(() => expect(captured()).toHaveLoggedTimes(1, 'x'))).toContain(
      'none of 2 records matches; the closest:',
    )
  })

  test('a failure message lists at most five records', () => {
    const logs = captureLogs()
    for (let i = 0; i < 8; i++) logs.logger.info('a', { i, long: 'x'.repeat(1_000) })
    const message = failureMessage(() => expect(logs).toHaveLoggedNothing())
    expect(message.split('\n')).toHaveLength(1 + 5 + 1)
    expect(message).toMatch(/\n {2}… and 3 more$/)
    expect(message.length).toBeLessThan(2_000)
  })
})

describe('invalid arguments of queries and matchers', () => {
  test.each<[string, () => void, string]>([
    [
      'an unknown member of a query',
      () => captured().find({ mesage: 'x' } as never),
      'a query has no member mesage; valid members are level',
    ],
    ['an unknown level', () => captured().find({ minimumLevel: 'loud' as never }), 'minimumLevel must be one of trace'],
    ['a missing query', () => captured().filter(undefined as never), 'a query must be an object'],
    ['an empty array as the query', () => captured().filter([] as never), 'a query must be an object'],
    ['a Date as the query', () => captured().filter(new Date(0) as never), 'a query must be an object'],
    ['a Map as the query', () => captured().filter(new Map() as never), 'a query must be an object'],
    [
      'an array in place of captured logs',
      () => matchers.toHaveLogged(captured().records, 'a'),
      'toHaveLogged: the received value must be the result of captureLogs()',
    ],
    ['missing logs', () => matchers.toHaveLoggedNothing(undefined), 'toHaveLoggedNothing: the received value must be'],
    [
      'a count that is not a number',
      () => matchers.toHaveLoggedTimes(captured(), 'x' as never),
      'toHaveLoggedTimes: times must be a count',
    ],
  ])('a TypeError is thrown for %s', (_, mistake, message) => {
    expect(mistake).toThrow(TypeError)
    expect(mistake).toThrow(message)
  })
})
