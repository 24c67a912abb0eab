import { describe, expect, test } from '@jest/globals'
import type { Encoding } from '../../../src/encode/encoding.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { formats } from '../../support/values/formats.ts'
import { capturingExporter, createTestLogger } from '../../support/files/test-logger.ts'
import { canaryIn } from '../fuzz/canary.ts'
import { rows, neverWrittenRows, type Row } from './rows.ts'
import { kinds, rulesFor } from './rules.ts'

/** Returns the form of the secret in the output of a row, if any. */
function secretIn({ logTo, options }: Row, redact: RedactOptions, encoding: Encoding): string | undefined {
  const keeper = capturingExporter(encoding)
  const { log, diagnostics } = createTestLogger({ ...options, redact }, keeper)
  logTo(log)
  expect(diagnostics).toEqual([])
  const bytes = keeper.bytes().toString('latin1')
  expect(bytes).not.toBe('')
  return canaryIn(bytes)
}

/** Returns the formats whose output contains the secret, with its form. */
function leaks(row: Row, redact: RedactOptions): string[] {
  return formats.flatMap(([name, encoding]) => {
    const found = secretIn(row, redact, encoding)
    return found === undefined ? [] : [`${name}: ${found}`]
  })
}

// Fault rows: 34
describe('redaction in all formats by each kind of rule', () => {
  test.each(rows.map((row) => [row.location, row] as const))('a secret is not written in any format: %s', (_, row) => {
    const applicable = kinds.filter((kind) => rulesFor(row, kind) !== undefined)
    expect(applicable).not.toEqual([])
    for (const kind of applicable) expect([kind, ...leaks(row, rulesFor(row, kind)!)]).toEqual([kind])
    // Without a rule the secret is written, which shows that the test detects it.
    expect(secretIn(row, {}, otlpEncoding('http/json')) !== undefined).toBe(row.rules.always === undefined)
  })

  test.each(neverWrittenRows.map((row) => [row.location, row] as const))(
    'a secret that is not part of a record is not written even without a rule: %s',
    (_, row) => {
      expect(leaks(row, {})).toEqual([])
    },
  )
})
