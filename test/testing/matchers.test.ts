import { describe, expect, test } from '@jest/globals'
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

describe('a query means a record', () => {
  test.each<[string, LogQuery]>([
    ['by its message', { message: 'order 7 placed' }],
    ['by a part of its message', { message: /order \d/g }],
    ['by what a function says of its message', { message: (text) => text.endsWith('placed') }],
    ['by its level', { level: 'info' }],
    ['by some of its attributes', { attributes: { orderId: 7, items: [{ sku: 'a' }] } }],
    ['by attributes that are patterns', { attributes: { items: [{ sku: /^A$/i, at: new Date(0) }], big: 12n } }],
    [
      'by attributes that decide themselves',
      { attributes: { orderId: expect.any(Number), big: (x: string) => x > '1' } },
    ],
    ['by an attribute that is null', { attributes: { none: null } }],
    ['by an attribute that is not there', { attributes: { other: undefined } }],
    ['by the scope', { scopeName: 'shop' }],
    ['without an exception', { error: false, level: 'info' }],
  ])('%s', (_, query) => {
    const logs = captured()
    expect(logs.find(query)).toBe(logs.records[0])
    expect(logs).toHaveLogged(query)
    expect(logs).not.toHaveLoggedNothing(query)
  })

  test.each<[string, LogQuery]>([
    ['by how severe it is', { minimumLevel: 'warn' }],
    ['by having an exception', { error: true }],
    ['by the message of the exception', { error: 'card declined' }],
    ['by its class', { error: { type: 'RangeError', message: /declined/ } }],
    ['by its stack', { error: { stacktrace: /matchers\.test/ } }],
  ])('%s', (_, query) => {
    const logs = captured()
    expect(logs.filter(query)).toEqual([logs.records[1]])
  })

  test.each<[string, LogQuery]>([
    ['of another level', { level: 'warn', message: 'order 7 placed' }],
    ['with a part of the message as text', { message: 'order 7' }],
    ['with a shorter list', { attributes: { items: [] } }],
    ['with a member that is nowhere', { attributes: { items: [{ price: 1 }] } }],
    ['with a member of every object', { attributes: { toString: /./ } }],
    ['with a list where an object is', { attributes: { items: { 0: { sku: 'a' } } } }],
    ['with text where a number is', { attributes: { orderId: '7' } }],
    ['of a trace where there is none', { traceId: /./ }],
    ['with another exception', { error: { type: 'TypeError' } }],
  ])('and none %s', (_, query) => {
    expect(captured().filter(query)).toEqual([])
    expect(captured()).not.toHaveLogged(query)
    expect(captured()).toHaveLoggedNothing(query)
  })

  test('as often as it says', () => {
    expect(captured()).toHaveLoggedTimes(2)
    expect(captured()).toHaveLoggedTimes(2, { attributes: { orderId: 7 } })
    expect(captured()).not.toHaveLoggedTimes(2, 'order 7 placed')
    expect(captureLogs()).toHaveLoggedNothing()
    expect(captureLogs()).toHaveLoggedTimes(0)
  })
})

const isEven = (n: number): boolean => n % 2 === 0

/** What a failed expectation says. */
function saidOf(expectation: () => void): string {
  try {
    expectation()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it held')
}

describe('a failure says', () => {
  test('what came near, the nearest first, and what was in its way', () => {
    const query = { level: 'info', message: /order/, attributes: { orderId: 8 } }
    const said = saidOf(() => expect(captured()).toHaveLogged(query))
    expect(said).toBe(
      `expected a record with {"level":"info","message":"/order/","attributes":{"orderId":8}}, but none of 2 records is one; the nearest:
  info "order 7 placed" {"orderId":7,"items":[{"sku":"a","at":"1970-01-01T00:00:00.000Z"}],"big":"12","none":null}
    attributes.orderId: expected 8, got 7
  error "could not charge" {"orderId":7} [RangeError: card declined]
    level: expected "info", got "error"
    message: expected /order/, got "could not charge"
    attributes.orderId: expected 8, got 7`,
    )
  })

  test('what was looked for, patterns and deciders included', () => {
    const attributes = { orderId: isEven, big: 1n, at: /x/, any: expect.any(Number) }
    expect(saidOf(() => expect(captureLogs()).toHaveLogged({ attributes }))).toContain(
      'with {"attributes":{"orderId":"what isEven() takes","big":"1","at":"/x/","any":"Any<Number>"}}',
    )
  })

  test('that nothing was logged', () => {
    expect(saidOf(() => expect(captureLogs()).toHaveLogged('a'))).toBe(
      'expected a record with {"message":"a"}, but nothing was logged',
    )
  })

  test('which records should not be there', () => {
    const said = `logged 1 record:\n  error "could not charge" {"orderId":7} [RangeError: card declined]`
    expect(saidOf(() => expect(captured()).toHaveLoggedNothing({ minimumLevel: 'warn' }))).toBe(
      `expected nothing with {"minimumLevel":"warn"}, but ${said}`,
    )
    expect(saidOf(() => expect(captured()).not.toHaveLogged({ level: 'error' }))).toBe(
      `expected no record with {"level":"error"}, but ${said}`,
    )
  })

  test('how many there were', () => {
    expect(saidOf(() => expect(captured()).toHaveLoggedTimes(3, { level: 'error' }))).toMatch(
      /^expected 3 records with \{"level":"error"\}, but logged 1 record:\n {2}error "could/,
    )
    expect(saidOf(() => expect(captured()).not.toHaveLoggedTimes(1, { level: 'error' }))).toMatch(
      /^expected any count but 1 record with/,
    )
    expect(saidOf(() => expect(captured()).toHaveLoggedTimes(1, 'x'))).toContain(
      'none of 2 records is one; the nearest:',
    )
  })

  test('five records at most', () => {
    const logs = captureLogs()
    for (let i = 0; i < 8; i++) logs.logger.info('a', { i, long: 'x'.repeat(1_000) })
    const said = saidOf(() => expect(logs).toHaveLoggedNothing())
    expect(said.split('\n')).toHaveLength(1 + 5 + 1)
    expect(said).toMatch(/\n {2}… and 3 more$/)
    expect(said.length).toBeLessThan(2_000)
  })
})

describe('a mistake is told, and matches nothing by accident', () => {
  test.each<[string, () => void, string]>([
    [
      'a member that no query has',
      () => captured().find({ mesage: 'x' } as never),
      'a query has no mesage; it has level',
    ],
    [
      'a level that is none',
      () => captured().find({ minimumLevel: 'loud' as never }),
      'minimumLevel must be one of trace',
    ],
    ['no query', () => captured().filter(undefined as never), 'a query is an object'],
    ['no logs', () => matchers.toHaveLogged(captured().records, 'a'), 'toHaveLogged asks what captureLogs()'],
    ['no logs at all', () => matchers.toHaveLoggedNothing(undefined), 'toHaveLoggedNothing asks'],
    ['no count', () => matchers.toHaveLoggedTimes(captured(), 'x' as never), 'toHaveLoggedTimes takes a count'],
  ])('%s', (_, mistake, said) => {
    expect(mistake).toThrow(TypeError)
    expect(mistake).toThrow(said)
  })
})
