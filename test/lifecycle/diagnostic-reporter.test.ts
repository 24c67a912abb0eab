import { describe, expect, test } from '@jest/globals'
import type { Diagnostic } from '../../src/options/configuration-error.ts'
import { diagnosticReporter } from '../../src/lifecycle/diagnostic-reporter.ts'

const minute = 60_000

function reporter(onDiagnostic?: (diagnostic: Diagnostic) => void) {
  let now = 5
  const lines: string[] = []
  const reportDiagnostic = diagnosticReporter(
    onDiagnostic,
    (line) => lines.push(line),
    () => now,
  )
  const report = (code: string, message = 'it broke') => reportDiagnostic({ code, message })
  return { lines, report, pass: (millis: number) => void (now += millis) }
}

/** Throws the error of an exhausted stack. */
function exhaustStack(): void {
  exhaustStack()
}

describe('diagnostics without a callback', () => {
  // Requirements: ERR5
  test('a diagnostic without a callback is written as one line', () => {
    const { lines, report } = reporter()
    report('SLUICE_A', 'the disk is full')
    expect(lines).toEqual(['sluice: SLUICE_A: the disk is full\n'])
  })

  test('a repeated diagnostic is written once a minute, with the number of repetitions', () => {
    const { lines, report, pass } = reporter()
    for (let time = 0; time < 5; time++) report('SLUICE_A')
    pass(minute - 1)
    report('SLUICE_A')
    expect(lines).toHaveLength(1)
    pass(1)
    report('SLUICE_A')
    expect(lines).toEqual([
      'sluice: SLUICE_A: it broke\n',
      'sluice: SLUICE_A: it broke (repeated 5 times since the last report)\n',
    ])
    pass(minute)
    report('SLUICE_A')
    expect(lines[2]).toBe('sluice: SLUICE_A: it broke\n')
  })

  test('a diagnostic is written in a microtask when the stack was exhausted at first', () => {
    let isExhausted = true
    const lines: string[] = []
    const report = diagnosticReporter(
      undefined,
      (line) => {
        if (isExhausted) exhaustStack()
        lines.push(line)
      },
      () => 5,
    )
    report({ code: 'SLUICE_A', message: 'it broke' })
    expect(lines).toEqual([])
    isExhausted = false
    return Promise.resolve().then(() => expect(lines).toEqual(['sluice: SLUICE_A: it broke\n']))
  })

  test('diagnostics of different codes are written separately', () => {
    const { lines, report } = reporter()
    report('SLUICE_A')
    report('SLUICE_B')
    expect(lines).toHaveLength(2)
  })

  test.each(['SLUICE_RECORDS_LOST', 'SLUICE_RECORDS_PENDING'])(
    'every diagnostic with a final count of records is written: %s',
    (code) => {
      const { lines, report } = reporter()
      report(code, '2 records')
      report(code, '3 records')
      expect(lines).toHaveLength(2)
    },
  )

  // Fault rows: 29
  test('a diagnostic contains neither line breaks nor control characters', () => {
    const { lines, report } = reporter()
    report('SLUICE_A', 'file:/tmp/a\r\nsluice: forged\u001b[2J\u009b31m\u2028b')
    expect(lines).toEqual(['sluice: SLUICE_A: file:/tmp/a sluice: forged [2J 31m b\n'])
  })

  test('diagnostics are written for at most 100 codes', () => {
    const { lines, report } = reporter()
    for (let code = 0; code < 1_000; code++) report(`CODE_${code}`)
    expect(lines).toHaveLength(100)
  })

  test('reporting a diagnostic does not throw when the line cannot be written', () => {
    const report = diagnosticReporter(
      undefined,
      () => {
        throw new Error('EPIPE')
      },
      () => 0,
    )
    expect(() => report({ code: 'SLUICE_A', message: 'x' })).not.toThrow()
  })
})

describe('the diagnostics callback', () => {
  // Requirements: ERR3
  test('the diagnostics callback replaces the line and is called once a minute for a code', () => {
    const seen: Diagnostic[] = []
    const { lines, report, pass } = reporter((diagnostic) => seen.push(diagnostic))
    report('SLUICE_A')
    report('SLUICE_A')
    pass(minute)
    report('SLUICE_A')
    expect(seen).toEqual([
      { code: 'SLUICE_A', message: 'it broke' },
      { code: 'SLUICE_A', message: 'it broke' },
    ])
    expect(lines).toEqual([])
  })

  // Requirements: ERR4
  test('an error that the diagnostics callback throws is ignored', () => {
    const { report } = reporter(() => {
      throw new Error('mine')
    })
    expect(() => report('SLUICE_A')).not.toThrow()
    expect(() => report('SLUICE_B')).not.toThrow()
  })

  // Requirements: ERR4
  test('a rejected promise of the diagnostics callback does not end the process', async () => {
    const { report } = reporter(async () => Promise.reject(new Error('mine')))
    expect(() => report('SLUICE_A')).not.toThrow()
    await new Promise(setImmediate)
  })

  // Requirements: ERR5
  test('the diagnostics callback is not called again for a diagnostic of the same code that it causes', () => {
    let calls = 0
    const { report } = reporter(() => {
      calls++
      report('SLUICE_A')
      report('SLUICE_RECORDS_LOST')
    })
    report('SLUICE_A')
    expect(calls).toBe(1)
  })

  test('the diagnostics callback is called once for a diagnostic of another code that it causes', () => {
    const seen: string[] = []
    const { report } = reporter(({ code }) => {
      seen.push(code)
      report('SLUICE_A')
      report('SLUICE_B')
    })
    report('SLUICE_A')
    expect(seen).toEqual(['SLUICE_A', 'SLUICE_B'])
  })
})
