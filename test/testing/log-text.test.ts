import { expect, test } from '@jest/globals'
import { captureLogs } from '../../src/create/capture-logs.ts'
import { defineEvent } from '../../src/logger/events.ts'
import { stableStack } from '../../src/testing/log-text.ts'

function charge(): never {
  throw new RangeError('card\ndeclined', { cause: new TypeError('offline') })
}

function captured() {
  const logs = captureLogs({ name: 'shop', clock: Date.now })
  logs.logger.info('placed', { orderId: 7 })
  defineEvent('order.placed')(logs.logger, { orderId: 7 })
  try {
    charge()
  } catch (error) {
    logs.logger.error(error)
  }
  return logs
}

test('`text()` omits timestamps, ids and stacks', () => {
  expect(captured().text()).toBe(
    `info placed {"orderId":7}
info <order.placed> {"orderId":7}
error card\\ndeclined
  RangeError: card
  declined
`,
  )
})

test('`text({ stacks: true })` includes function and file names but no frames of Node or the test runner', () => {
  const text = captured().text({ stacks: true })
  expect(text).toContain('      at charge (log-text.test.ts)\n      at captured (log-text.test.ts)\n')
  expect(text).toContain('TypeError: offline\n      at charge (log-text.test.ts)')
  expect(text).not.toMatch(/node:|node_modules|jest|\.ts:\d+|\//)
})

test.each(['\n', '\r', '\r\n', '\u2028', '\u2029'])('`text()` escapes or normalizes the line end %j', (lineEnd) => {
  const logs = captureLogs({ clock: Date.now })
  logs.logger.info({ a: `b${lineEnd}c` }, `d${lineEnd}e`)
  const error = new RangeError(`f${lineEnd}g`)
  error.stack = `RangeError: f${lineEnd}g${lineEnd}    at charge (/a/b.ts:1:2)${lineEnd}    at last (/a/c.ts:1:2)`
  logs.logger.error(error, 'failed')
  const escaped = lineEnd.replaceAll(/./gsu, (end) =>
    end === '\n' ? '\\n' : end === '\r' ? '\\r' : `\\u${end.charCodeAt(0).toString(16)}`,
  )
  const lines = `info d${escaped}e {"a":"b${escaped}c"}\nerror failed\n  RangeError: f\n  g\n`
  expect(logs.text()).toBe(lines)
  expect(logs.text({ stacks: true })).toBe(`${lines}      at charge (b.ts)\n      at last (c.ts)\n`)
})

test.each([
  ['    at /home/a/b.ts:1:2', '    at b.ts'],
  ['    at f (C:\\a\\b.ts:1:2)', '    at f (b.ts)'],
  ['    at async Foo.bar [as baz] (file:///a/b.mjs:10:20)', '    at Foo.bar [as baz] (b.mjs)'],
  ['    at new Foo (/a/b (c)/d.ts:1:2)', '    at new Foo (d.ts)'],
  ['    at async node:internal/x:1:2', undefined],
  ['    at Array.map (<anonymous>)', undefined],
  ['    at f (/a/node_modules/b/c.js:1:2)', undefined],
  ['at the start of a message, not a frame', 'at the start of a message, not a frame'],
])('the stack frame %j is normalized to %j', (frame, stable) => {
  expect(stableStack(`Error: a\n${frame}`)).toBe(stable === undefined ? 'Error: a' : `Error: a\n${stable}`)
})
