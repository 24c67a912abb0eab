import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { pino } from '../../../src/entries/pino.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { canary } from '../../security/fuzz/canary.ts'

/** Returns the line of a logger whose `timestamp` returns `result`. */
function lineWith(result: unknown, redact?: RedactOptions): string {
  const lines: string[] = []
  let isCreated = false
  const log = pino(
    {
      base: null,
      timestamp: (() => (isCreated ? result : ',"time":0')) as () => string,
      onDiagnostic: () => {},
      ...(redact === undefined ? {} : { redact }),
    },
    { write: (line: string) => void lines.push(line) },
  )
  isCreated = true
  log.info('m')
  expect(lines).toHaveLength(1)
  return lines[0]!
}

const valid = [
  '',
  ',"time":1',
  ',"time":"2026-11-23T00:00:00Z"',
  ',"a":{"b":[1,null]},"time":-1.5e3',
  ' , "time" : "\u00e9"',
]
const invalid = [
  ',"time":1}\n{"b":2',
  ',"time":1}\n',
  ',"time":',
  '5',
  '.5',
  'e3',
  '}',
  ',"time":"\n"',
  ',',
  undefined,
  5,
  null,
  {},
  Symbol('x'),
]

describe('the text that `timestamp` returns', () => {
  test.each(valid)('a valid result of `timestamp` is written unchanged: %j', (text) => {
    expect(lineWith(text)).toBe(`{"level":30${text},"msg":"m"}\n`)
  })

  test.each(invalid)('an invalid result of `timestamp` is replaced by the time in ms: %p', (text) => {
    expect(lineWith(text)).toMatch(/^\{"level":30,"time":\d+,"msg":"m"\}\n$/)
  })

  test('control characters in the result of `timestamp` are escaped or replaced by spaces', () => {
    expect(lineWith(',"time":"\u009b31m\u007f"')).toBe('{"level":30,"time":"\\u009b31m\\u007f","msg":"m"}\n')
    expect(lineWith(',\r\n\t"time":1\n')).toBe('{"level":30,   "time":1 ,"msg":"m"}\n')
  })

  test('any result of `timestamp` gives one line of JSON without control characters', () => {
    const part = fc.constantFrom(
      ',"time":',
      '"',
      '1',
      '\n',
      '\r',
      '\t',
      '\u009b',
      '\u007f',
      '\\',
      '}',
      '{',
      '\u2028',
      ',"a":{',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 8 }), (parts) => {
        const line = lineWith(parts.join(''))
        expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f]*\n$/) // oxlint-disable-line no-control-regex
        expect(JSON.parse(line)).toMatchObject({ level: 30, msg: 'm' })
      }),
      { examples: valid.map((text) => [[text]]) },
    )
  })

  test('the result of `timestamp` is redacted by patterns and stays valid JSON', () => {
    const redact: RedactOptions = { patterns: ['card', { name: 'canary', pattern: new RegExp(canary) }] }
    expect(lineWith(`,"time":"x ${canary}","at":1`, redact)).toBe(
      '{"level":30,"time":"x [Redacted]","at":1,"msg":"m"}\n',
    )
    // A number has the digits of a card but is a time.
    expect(lineWith(',"time":4111111111111111', redact)).toContain('"time":4111111111111111')
  })
})

const created = (timestamp: () => unknown) => {
  const lines: string[] = []
  const diagnostics: string[] = []
  const onDiagnostic = ({ message }: { message: string }) => void diagnostics.push(message)
  const options = { base: null, timestamp: timestamp as () => string, onDiagnostic }
  const log = pino(options, { write: (line: string) => void lines.push(line) })
  log.info('m')
  return { lines, diagnostics }
}

describe('the call of `timestamp` when the logger is created', () => {
  test.each([undefined, 5, null, {}, Symbol('x'), Promise.resolve(',"time":1')])(
    'a logger is created and writes the default timestamp when `timestamp` returns %p',
    (result) => {
      const { lines, diagnostics } = created(() => result)
      expect(lines).toEqual([expect.stringMatching(/^\{"level":30,"time":\d+,"msg":"m"\}\n$/)])
      expect(diagnostics).toEqual(['timestamp threw: the record was logged without its result'])
    },
  )

  test('a first call of `timestamp` that throws is reported, and log calls call it again', () => {
    let calls = 0
    const { lines, diagnostics } = created(() => {
      if (calls++ === 0) throw new Error('not yet')
      return ',"time":1'
    })
    expect(lines).toEqual(['{"level":30,"time":1,"msg":"m"}\n'])
    expect(diagnostics).toEqual(['timestamp threw: the default timestamp is used'])
  })

  test('a promise that `timestamp` returns may reject, and a diagnostic is reported once', async () => {
    const { lines, diagnostics } = created(() => Promise.reject(new Error('late')))
    await Promise.resolve()
    expect(lines).toHaveLength(1)
    expect(diagnostics).toHaveLength(1)
  })
})
