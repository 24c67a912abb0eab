import { describe, expect, test } from '@jest/globals'
import { canary } from '../../encode/redaction-scenarios.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { isPlainLine, logged } from './support.ts'

describe('redaction cases where pino leaks', () => {
  test('an object referenced at two paths is redacted only where a rule matches', () => {
    const { log, kept } = logged({ redact: ['a.pw', 'b.pw'] })
    const shared = { pw: canary }
    log.info({ a: shared, b: shared, c: shared })
    expect(kept.last).toMatchObject({ a: { pw: '[Redacted]' }, b: { pw: '[Redacted]' }, c: { pw: canary } })
  })

  test('the result of `toJSON` is redacted', () => {
    const { log, kept } = logged({ redact: ['a.pw'] })
    log.info({ a: { toJSON: () => ({ pw: canary }) } })
    expect(kept.last).toMatchObject({ a: { pw: '[Redacted]' } })
  })

  test('a wildcard path that also matches a URL and a Buffer leaves both unchanged', () => {
    const { log, kept } = logged({ redact: ['*.x'] })
    log.info({ a: new URL('https://host/'), b: Buffer.from('b'), c: { x: canary } })
    expect(kept.last).toMatchObject({ a: 'https://host/', b: { type: 'Buffer', data: [98] }, c: { x: '[Redacted]' } })
  })

  test('`**` matches any depth, and a path that can never match throws', () => {
    const { log, kept } = logged({ redact: ['**.pw'] })
    log.info({ a: { b: [{ pw: canary }] } })
    expect(kept.last).toMatchObject({ a: { b: [{ pw: '[Redacted]' }] } })
    expect(() => logged({ redact: ['pass*.x'] })).toThrow(/whole name/)
  })

  test.each(['$', '@'])('a path to a member named %s is accepted, as in pino', (name) => {
    const { log, kept } = logged({ redact: [`${name}.user.password`] })
    log.info({ [name]: { user: { password: canary } } })
    expect(kept.last).toMatchObject({ [name]: { user: { password: '[Redacted]' } } })
    log.child({}, { redact: [`${name}.pin`] }).info({ [name]: { pin: canary } })
    expect(kept.last).toMatchObject({ [name]: { pin: '[Redacted]' } })
  })
})

describe('keys of bindings that the patterns of a parent redact', () => {
  const keys = ['joe@example.com', 'ann@example.com']
  const bindings = Object.fromEntries(keys.map((key, index) => [key, index]))
  const children: [string, RedactOptions | string[]][] = [
    ['has a list of paths', ['x']],
    ['has no rules', { paths: [] }],
    ['has other patterns', { patterns: ['jwt'] }],
  ]

  test.each(children)('the keys stay redacted in all lines of a child whose `redact` %s', (_, redact) => {
    const { log, kept } = logged({ redact: { patterns: ['email'] } })
    const child = log.child({ ...bindings, a: 1 }).child({ b: 2 }, { redact })
    child.info('m')
    child.info({ a: 3 })
    child.info({ b: 4, '[Redacted]': 5 })
    expect(kept.lines.join('')).not.toContain('@')
    expect(kept.lines.every(isPlainLine)).toBe(true)
    expect(kept.last).toEqual({ level: 30, '[Redacted] 2': 0, '[Redacted] 3': 1, a: 1, b: 4, '[Redacted]': 5 })
    expect(JSON.stringify(child.bindings())).not.toContain('@')
  })

  test('a call of a child without patterns replaces the binding with the same key', () => {
    const { log, kept } = logged({ redact: { patterns: ['email'] } })
    log
      .child({ ...bindings, a: 1 })
      .child({}, { redact: ['x'] })
      .info({ 'joe@example.com': 7 })
    expect(kept.last).toEqual({ level: 30, '[Redacted]': 1, a: 1, 'joe@example.com': 7 })
  })
})
