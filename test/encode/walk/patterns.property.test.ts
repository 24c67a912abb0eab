import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { createLogger } from '../../../src/create/create-logger.ts'
import { formats } from '../../support/values/formats.ts'
import { capturingExporter, createTestLogger } from '../../support/files/test-logger.ts'
import { canary, open, scenarios, written } from '../redaction-scenarios.ts'

const redact = { patterns: [{ name: 'canary', pattern: /CANARY\d{4}/ }] }

/** Checks for the canary as text, hexadecimal and base64. */
function isIn(bytes: string): boolean {
  const forms = [canary, Buffer.from(canary).toString('hex'), Buffer.from(canary).toString('base64').replace(/=+$/, '')]
  return forms.some((form) => bytes.toLowerCase().includes(form.toLowerCase()))
}

describe.each(formats)('redaction by patterns as %s', (_, encoding) => {
  // Fault rows: 34
  test('a value that matches a pattern is not in the output, for any shape and any source', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const clean = written(scenario, redact, capturingExporter(encoding))
        expect(isIn(clean)).toBe(false)
        expect(clean).toContain(open)
        expect(isIn(written(scenario, undefined, capturingExporter(encoding)))).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  test('a match in a BigInt or a number is not in the output', () => {
    const keeper = capturingExporter(encoding)
    const { log } = createTestLogger({ redact: { patterns: [{ name: 'digits', pattern: /471147114711/ }] } }, keeper)
    log.info('{a} {b}', { a: 471_147_114_711n, b: 471_147_114_711, c: [471_147_114_711] })
    expect(keeper.bytes().toString('latin1')).not.toContain('471147114711')
  })
})

test('keys that are equal after redaction stay distinct, and a key of a call replaces the same bound key', () => {
  const bench = createTestLogger({ redact })
  const log = bench.log.child({ [`b${canary}`]: 0, c: 1 })
  expect(
    bench.captureLine(() =>
      log.info('m', { [`a${canary}`]: 1, [`x${canary}`]: 2, n: { [canary]: 3, [`${canary}0`]: 4 } }),
    ).attributes,
  ).toEqual({
    'b[REDACTED]': 0,
    c: 1,
    'a[REDACTED]': 1,
    'x[REDACTED]': 2,
    n: { '[REDACTED]': 3, '[REDACTED]0': 4 },
  })
  const names = { [canary]: 1, '[REDACTED]': 2 }
  for (const value of [names, new Map(Object.entries(names))])
    expect(bench.captureLine(() => log.info('m', { value })).attributes).toMatchObject({
      value: { '[REDACTED]': 1, '[REDACTED] 2': 2 },
    })
  const same = bench.log.child({ [canary]: 0 })
  bench.exporter.clear()
  same.info('m', { [canary]: 1, CANARY0000: 2 })
  expect(bench.exporter.text()).toContain('"attributes":{"[REDACTED]":1,"[REDACTED] 2":2}')
})

test('patterns of a child also apply to the attributes and scope of its parents', () => {
  const bench = createTestLogger({ attributes: { a: canary }, name: canary, redact: { patterns: ['jwt'] } })
  expect(bench.captureLine(() => bench.log.info(canary)).message).toBe(canary)
  const line = bench.captureLine(() =>
    bench.log.child({}, { redact }).info(canary, { jwt: 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UifQ.' }),
  )
  expect(JSON.stringify(line)).not.toContain(canary)
  expect(line.attributes).toEqual({ a: '[REDACTED]', jwt: '[REDACTED]' })
})

const censor = (): object => ({ [canary]: canary })

test('the result of a censor is redacted by patterns, also when a logger without patterns wrote it before', () => {
  const plain = createTestLogger({ redact: { paths: ['a'], censor } })
  expect(plain.captureLine(() => plain.log.info('m', { a: 1 })).attributes).toEqual({ a: { [canary]: canary } })
  const bench = createTestLogger({ redact: { ...redact, paths: ['a', 'b'], censor } })
  expect(bench.captureLine(() => bench.log.info('m', { a: 1, b: 2 })).attributes).toEqual({
    a: { '[REDACTED]': '[REDACTED]' },
    b: { '[REDACTED]': '[REDACTED]' },
  })
})

test('numbers of fewer than 12 digits and fractions are not matched by patterns', () => {
  const bench = createTestLogger({ redact: { patterns: [{ name: 'one', pattern: /1/ }] } })
  const numbers = { a: 1, b: 11_111_111_111, c: 111_111_111_111.5, d: -1, e: Infinity, f: NaN }
  expect(bench.captureLine(() => bench.log.info('m', numbers)).attributes).toEqual({
    ...numbers,
    e: 'Infinity',
    f: 'NaN',
  })
  expect(
    bench.captureLine(() => bench.log.info('m', { a: 100_000_000_000, b: -100_000_000_000, c: 1n })).attributes,
  ).toEqual({
    a: '[REDACTED]00000000000',
    b: '-[REDACTED]00000000000',
    c: '[REDACTED]',
  })
})

test('no diagnostic contains a value that matches a pattern', () => {
  const reported: string[] = []
  const exporter = capturingExporter()
  const log = createLogger({
    exporter: {
      ...exporter,
      export: () => {
        throw new Error(canary)
      },
      exportSync: () => {
        throw new Error(canary)
      },
    },
    redact,
    onDiagnostic: ({ code, message }) => reported.push(code, message),
  })
  log.info(canary, { [canary]: canary })
  log.flushSync()
  expect(reported).not.toEqual([])
  expect(reported.join()).not.toContain(canary)
})
