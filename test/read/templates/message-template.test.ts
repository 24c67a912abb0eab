import { describe, expect, it, test } from '@jest/globals'
import * as fc from 'fast-check'
import { scanMessage, maxKeyLength } from '../../../src/read/templates/message-template.ts'
import { Templates, templateText } from '../../../src/read/templates/templates.ts'
import { readRecord } from '../../cli/support/read-records.ts'

function templateOf(...messages: readonly string[]): string {
  const templates = new Templates(100)
  const found = new Set(messages.map((message) => templates.ofMessage(message)))
  expect(found.size).toBe(1)
  return templateText([...found][0]!)
}

function keyWith(value: string): string {
  return scanMessage(`user ${value} of (${value}) logged in`).key
}

describe('values in a message', () => {
  test.each([
    ['no values here', 'no values here'],
    ['order 42 placed', 'order <num> placed'],
    ['temperature -5.25 is lower than +3', 'temperature <num> is lower than <num>'],
    ['took 14ms', 'took <num>'],
    ['took 1.2s', 'took <num>'],
    ['took 1h30m', 'took <num>'],
    ['scored 1e+21, 99.5%', 'scored <num>, <num>%'],
    ['1,234,567 rows', '<num> rows'],
    ['#42: $5.00', '#<num>: $<num>'],
    ['worker3 of web-1', 'worker<num> of web-<num>'],
    ['version v1.22.3', 'version v<num>'],
    ['commit 3f9a2cb', 'commit <hex>'],
    ['at 0x7fff5fbff8c0', 'at <hex>'],
    ['trace 4bf92f3577b34da6a3ce929d0e0e4736', 'trace <hex>'],
    ['key deadbeef', 'key <hex>'],
    ['session x7Kq2mP9vT', 'session <id>'],
    ['user 6fa459ea-ee8a-3ca4-894e-db77e160355e', 'user <uuid>'],
    ['from 10.0.0.1', 'from <ip>'],
    ['from 10.0.0.1:8080', 'from <ip>'],
    ['from fe80::1:2', 'from <ip>'],
    ['from 2001:db8:85a3:0:0:8a2e:370:7334', 'from <ip>'],
    ['at 2026-11-21T09:56:03.123Z', 'at <time>'],
    ['at 2026-11-21T09:56:03+01:00', 'at <time>'],
    ['on 2026-11-21 at 10:30', 'on <time> at <time>'],
    ['read "a \\"b\\" c"', 'read <quoted>'],
    [`read 'ann's'`, `read 'ann's'`],
    ["can't read `x y`", "can't read <quoted>"],
    ['mail to ann.smith+x@example.com', 'mail to <email>'],
    ['GET /users/42/orders/7', 'GET /users/<num>/orders/<num>'],
    ['GET /search?q=shoes&page=2 200', 'GET /search?<query> <num>'],
    ['why? 3', 'why? <num>'],
    ['ids [1, 2, 3]', 'ids [<num>]'],
    ['ids 1,2,3', 'ids <num>'],
    ['{"id":7,"name":"ann"}', '{<quoted>:<num>,<quoted>:<quoted>}'],
    ['order_42_failed', 'order_<num>_failed'],
    ['k8s and utf8', 'k8s and utf<num>'],
    ['größe 5 für müller', 'größe <num> für müller'],
    ['first line 1\nsecond line', 'first line <num>'],
    ['', ''],
  ])('are replaced in %j', (message, template) => {
    expect(templateOf(message)).toBe(template)
  })

  it('have one template where some hexadecimal ids have only decimal digits', () => {
    expect(templateOf('job 3f9a2cb1 done', 'job 12345678 done', 'job deadbeef done')).toBe('job <hex> done')
  })

  it('have one template where ids have several forms', () => {
    expect(templateOf('job 7 done', 'job x7Kq2mP9vT done')).toBe('job <id> done')
    expect(templateOf('got 7', 'got "seven"')).toBe('got <*>')
  })

  it('have one template for lists of any length', () => {
    expect(templateOf('ids [1]', 'ids [1, 2]', 'ids [1,2,3]')).toBe('ids [<num>]')
  })

  it('do not include the mark of a value in the message', () => {
    expect(templateOf('a\0b 7')).toBe('a\u0001b <num>')
  })
})

describe('scanMessage', () => {
  it('returns the same key for every value of a kind', () => {
    const value = fc.oneof(
      fc.nat().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.uuid(),
      fc.ipV4(),
      fc.ipV6().filter((address) => /^[\da-f]{1,4}(?::[\da-f]{1,4}){7}$/.test(address) && /\d/.test(address)),
      fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
      fc.stringMatching(/^[0-9a-f]{8,40}$/),
      fc.stringMatching(/^[^"\\\n]*$/).map((text) => `"${text}"`),
    )
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(keyWith(one)).toBe(keyWith(other))
      }),
    )
  })

  it('accepts any text, and finds as many marks as kinds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (message) => {
        const { key, kinds } = scanMessage(message)
        expect(key.split('\0').length - 1).toBe(kinds.length)
      }),
    )
  })

  // A scan of quadratic time would not end for an hour.
  test.each(['a', '1', '"', "'a", '1:', 'a1', '-', '?a=', '[1, ', 'a@', '::', '\\"', 'x1y2z3', 'é'])(
    'reads a megabyte of %j in linear time',
    (part) => {
      const message = part.repeat(1_000_000 / part.length)
      expect(scanMessage(message).key.length).toBeLessThanOrEqual(maxKeyLength + 1)
    },
  )
})

describe('Templates', () => {
  it('uses the template in an attribute', () => {
    const templates = new Templates(10)
    const record = readRecord({ message: 'user ann in', attributes: { 'message.template': 'user {name} in' } })
    expect(templateText(templates.templateOf(record)!)).toBe('user {name} in')
  })

  it('names an event without a message', () => {
    expect(templateText(new Templates(10).templateOf(readRecord({ eventName: 'shop.order' }))!)).toBe('shop.order')
  })

  it('keeps no more templates than its limit', () => {
    const templates = new Templates(2)
    expect(['a', 'b', 'c', 'a'].map((message) => templates.ofMessage(message)?.key)).toEqual(['a', 'b', undefined, 'a'])
  })
})
