import { describe, expect, test } from '@jest/globals'
import { canary } from '../../encode/redaction-scenarios.ts'
import { logged } from './support.ts'

describe('where pino leaks', () => {
  test('one object at two places is covered where a rule says', () => {
    const { log, kept } = logged({ redact: ['a.pw', 'b.pw'] })
    const shared = { pw: canary }
    log.info({ a: shared, b: shared, c: shared })
    expect(kept.last).toMatchObject({ a: { pw: '[Redacted]' }, b: { pw: '[Redacted]' }, c: { pw: canary } })
  })

  test('what toJSON returns is covered', () => {
    const { log, kept } = logged({ redact: ['a.pw'] })
    log.info({ a: { toJSON: () => ({ pw: canary }) } })
    expect(kept.last).toMatchObject({ a: { pw: '[Redacted]' } })
  })

  test('a path may cross a URL or bytes', () => {
    const { log, kept } = logged({ redact: ['*.x'] })
    log.info({ a: new URL('https://host/'), b: Buffer.from('b'), c: { x: canary } })
    expect(kept.last).toMatchObject({ a: 'https://host/', b: { type: 'Buffer', data: [98] }, c: { x: '[Redacted]' } })
  })

  test('two stars are any depth, and what can match nothing is refused', () => {
    const { log, kept } = logged({ redact: ['**.pw'] })
    log.info({ a: { b: [{ pw: canary }] } })
    expect(kept.last).toMatchObject({ a: { b: [{ pw: '[Redacted]' }] } })
    expect(() => logged({ redact: ['pass*.x'] })).toThrow(/whole name/)
  })
})
