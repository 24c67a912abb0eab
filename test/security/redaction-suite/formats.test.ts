import { describe, expect, test } from '@jest/globals'
import type { Encoding } from '../../../src/encode/encoding.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { formats } from '../../support/values/formats.ts'
import { lineKeeper, workbench } from '../../support/files/line-keeper.ts'
import { canaryIn } from '../fuzz/canary.ts'
import { rows, unseen, type Row } from './rows.ts'
import { kinds, rulesFor } from './rules.ts'

/** What is left of the secret in what a row makes. */
function left({ say, options }: Row, redact: RedactOptions, encoding: Encoding): string | undefined {
  const keeper = lineKeeper(encoding)
  const { log, problems } = workbench({ ...options, redact }, keeper)
  say(log)
  expect(problems).toEqual([])
  const bytes = keeper.bytes().toString('latin1')
  expect(bytes).not.toBe('')
  return canaryIn(bytes)
}

/** The formats in which something is left, and what. */
function leaks(row: Row, redact: RedactOptions): string[] {
  return formats.flatMap(([name, encoding]) => {
    const found = left(row, redact, encoding)
    return found === undefined ? [] : [`${name}: ${found}`]
  })
}

describe('a secret is in no format, in whatever form, by each kind of rule that covers it (row 34)', () => {
  test.each(rows.map((row) => [row.place, row] as const))('%s', (_, row) => {
    const asked = kinds.filter((kind) => rulesFor(row, kind) !== undefined)
    expect(asked).not.toEqual([])
    for (const kind of asked) expect([kind, ...leaks(row, rulesFor(row, kind)!)]).toEqual([kind])
    // Without a rule it is there: the test sees what it looks for.
    expect(left(row, {}, otlpEncoding('http/json')) !== undefined).toBe(row.covers.always === undefined)
  })

  test.each(unseen.map((row) => [row.place, row] as const))('%s, which is not logged at all', (_, row) => {
    expect(leaks(row, {})).toEqual([])
  })
})
