import { describe, expect, it } from '@jest/globals'
import { compileQuery } from '../../../src/read/query/compile-query.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import { requiredText } from '../../../src/read/query/required-text.ts'
import { recordIn } from '../lines/read-bytes.ts'

const matches = (query: string, line: object) => compileQuery(parseQuery(query))(recordIn(JSON.stringify(line)))

const error = { type: 'TypeError', message: 'no route', stack: 'TypeError: no route\n    at route (a.js:1:2)' }
const line = {
  level: 50,
  time: 1_700_000_000_000,
  pid: 7,
  hostname: 'web-1',
  name: 'api.http',
  msg: 'failed',
  err: error,
}

describe('a query with a key as another logger writes it', () => {
  it.each([
    'err.type=TypeError',
    'error.name=TypeError',
    "err.message='no route'",
    "err.stack contains 'a.js'",
    'stack~route',
    'pid=7',
    'hostname=web-1',
    'name=api.http',
    'exists(pid) and name like api*',
  ])('matches the record of pino that has the value: %s', (query) => {
    expect(matches(query, line)).toBe(true)
    // The search before parsing must not exclude the line.
    const texts = requiredText(parseQuery(query))
    expect(texts?.some((text) => JSON.stringify(line).includes(text)) ?? true).toBe(true)
  })

  it.each(['err.type=RangeError', 'pid=8', 'name=http'])('does not match another value: %s', (query) => {
    expect(matches(query, line)).toBe(false)
  })

  it('finds an attribute that has this name before the value that it usually means', () => {
    const named = { timestamp: '2026-11-21T09:56:03.123Z', level: 'info', message: 'm', attributes: { name: 'Ada' } }
    const scoped = { ...named, 'otel.scope.name': 'api' }
    expect(matches('name=Ada', scoped)).toBe(true)
    expect(matches('name=api', scoped)).toBe(false)
    expect(matches('name=api', { ...scoped, attributes: {} })).toBe(true)
  })
})
