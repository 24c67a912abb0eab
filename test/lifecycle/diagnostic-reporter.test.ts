import { describe, expect, test } from '@jest/globals'
import type { Diagnostic } from '../../src/options/configuration-error.ts'
import { diagnosticReporter } from '../../src/lifecycle/diagnostic-reporter.ts'

const minute = 60_000

function reporter(onDiagnostic?: (problem: Diagnostic) => void) {
  let now = 5
  const lines: string[] = []
  const report = diagnosticReporter(
    onDiagnostic,
    (line) => lines.push(line),
    () => now,
  )
  const tell = (code: string, message = 'it broke') => report({ code, message })
  return { lines, tell, pass: (millis: number) => void (now += millis) }
}

/** Throws what a call without stack throws. */
function exhaustStack(): void {
  exhaustStack()
}

describe('a problem without a function that takes it', () => {
  test('is one line (ERR5)', () => {
    const { lines, tell } = reporter()
    tell('SLUICE_A', 'the disk is full')
    expect(lines).toEqual(['sluice: SLUICE_A: the disk is full\n'])
  })

  test('is told once a minute, and then how often it happened', () => {
    const { lines, tell, pass } = reporter()
    for (let time = 0; time < 5; time++) tell('SLUICE_A')
    pass(minute - 1)
    tell('SLUICE_A')
    expect(lines).toHaveLength(1)
    pass(1)
    tell('SLUICE_A')
    expect(lines).toEqual([
      'sluice: SLUICE_A: it broke\n',
      'sluice: SLUICE_A: it broke (and 5 times more since it was last told)\n',
    ])
    pass(minute)
    tell('SLUICE_A')
    expect(lines[2]).toBe('sluice: SLUICE_A: it broke\n')
  })

  test('is reported in a microtask if the stack was exhausted at first', () => {
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

  test('is told beside one of another code', () => {
    const { lines, tell } = reporter()
    tell('SLUICE_A')
    tell('SLUICE_B')
    expect(lines).toHaveLength(2)
  })

  test.each(['SLUICE_RECORDS_LOST', 'SLUICE_RECORDS_PENDING'])('that ends something is always told: %s', (code) => {
    const { lines, tell } = reporter()
    tell(code, '2 records')
    tell(code, '3 records')
    expect(lines).toHaveLength(2)
  })

  test('cannot write a second line, nor a control character to a terminal (row 29)', () => {
    const { lines, tell } = reporter()
    tell('SLUICE_A', 'file:/tmp/a\r\nsluice: forged\u001b[2J\u009b31m\u2028b')
    expect(lines).toEqual(['sluice: SLUICE_A: file:/tmp/a sluice: forged [2J 31m b\n'])
  })

  test('is told no more when there are more codes than anybody has', () => {
    const { lines, tell } = reporter()
    for (let code = 0; code < 1_000; code++) tell(`CODE_${code}`)
    expect(lines).toHaveLength(100)
  })

  test('does not harm the call when the line cannot be written', () => {
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

describe('a function that takes problems', () => {
  test('is called instead, as rarely (ERR3)', () => {
    const seen: Diagnostic[] = []
    const { lines, tell, pass } = reporter((problem) => seen.push(problem))
    tell('SLUICE_A')
    tell('SLUICE_A')
    pass(minute)
    tell('SLUICE_A')
    expect(seen).toEqual([
      { code: 'SLUICE_A', message: 'it broke' },
      { code: 'SLUICE_A', message: 'it broke' },
    ])
    expect(lines).toEqual([])
  })

  test('may throw (ERR4)', () => {
    const { tell } = reporter(() => {
      throw new Error('mine')
    })
    expect(() => tell('SLUICE_A')).not.toThrow()
    expect(() => tell('SLUICE_B')).not.toThrow()
  })

  test('may return a promise that is rejected, which ends no process (ERR4)', async () => {
    const { tell } = reporter(async () => Promise.reject(new Error('mine')))
    expect(() => tell('SLUICE_A')).not.toThrow()
    await new Promise(setImmediate)
  })

  test('that brings about the same trouble is not called again by it (ERR5)', () => {
    let calls = 0
    const { tell } = reporter(() => {
      calls++
      tell('SLUICE_A')
      tell('SLUICE_RECORDS_LOST')
    })
    tell('SLUICE_A')
    expect(calls).toBe(1)
  })

  test('that brings about other trouble hears of that, once', () => {
    const seen: string[] = []
    const { tell } = reporter(({ code }) => {
      seen.push(code)
      tell('SLUICE_A')
      tell('SLUICE_B')
    })
    tell('SLUICE_A')
    expect(seen).toEqual(['SLUICE_A', 'SLUICE_B'])
  })
})
