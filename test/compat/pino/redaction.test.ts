import { describe, expect, test } from '@jest/globals'
import { canary } from '../../encode/redaction-scenarios.ts'
import { logged } from './support.ts'

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
})
