import { expect } from '@jest/globals'
import * as fc from 'fast-check'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'
import { nastyText } from '../support/values/arbitraries.ts'
import { needs } from '../support/needs.ts'
import { makeMembers, members, redact } from './fuzz/values.ts'

const python = spawnSync('python3', ['--version']).status === 0

// Fault rows: 29, 30
needs('python3', python)(
  "Python's JSON parser reads each line as one object without duplicate keys or forged fields, for any keys and values",
  () => {
    const keeper = capturingExporter(jsonLines())
    const { log } = createTestLogger({ redact, clock: () => 1_700_000_000_123 }, keeper)
    const special = [
      '\u0000',
      '\ufeff',
      '\u2028',
      '\u2029',
      '\u0085',
      '\u009b',
      '\u001b[31m',
      '\r\n',
      '\ud800',
      '\udfff\ud800',
      '"',
      '\\',
    ]
    for (const one of special) log.child({ [`bound${one}`]: one }).info(one, { [one]: one, nested: { [one]: [one] } })
    let calls = special.length
    fc.assert(
      fc.property(nastyText, members, (message, given) => {
        log.info(message, makeMembers(given))
        calls++
      }),
      { numRuns: 300 },
    )
    const text = keeper.text()
    const { stdout, stderr } = spawnSync('python3', [join(import.meta.dirname, 'reader.py')], {
      input: text,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout.trim()).toBe(String(calls))
  },
)
