import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { pino } from '../../../src/entries/pino.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { canary } from '../../security/fuzz/canary.ts'

/** The line of a logger whose `timestamp` returns `answer`. */
function lineWith(answer: unknown, redact?: RedactOptions): string {
  const lines: string[] = []
  let isMade = false
  const log = pino(
    {
      base: null,
      timestamp: (() => (isMade ? answer : ',"time":0')) as () => string,
      onDiagnostic: () => {},
      ...(redact === undefined ? {} : { redact }),
    },
    { write: (line: string) => void lines.push(line) },
  )
  isMade = true
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

describe('the text of the option timestamp', () => {
  test.each(valid)('is in the line as it is where it is valid: %j', (text) => {
    expect(lineWith(text)).toBe(`{"level":30${text},"msg":"m"}\n`)
  })

  test.each(invalid)('is replaced by the time in ms where it is invalid: %p', (text) => {
    expect(lineWith(text)).toMatch(/^\{"level":30,"time":\d+,"msg":"m"\}\n$/)
  })

  test('shows no control character', () => {
    expect(lineWith(',"time":"\u009b31m\u007f"')).toBe('{"level":30,"time":"\\u009b31m\\u007f","msg":"m"}\n')
    expect(lineWith(',\r\n\t"time":1\n')).toBe('{"level":30,   "time":1 ,"msg":"m"}\n')
  })

  test('leaves one line of JSON without control characters, whatever it is', () => {
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

  test('is redacted by patterns, and stays valid', () => {
    const redact: RedactOptions = { patterns: ['card', { name: 'canary', pattern: new RegExp(canary) }] }
    expect(lineWith(`,"time":"x ${canary}","at":1`, redact)).toBe(
      '{"level":30,"time":"x [Redacted]","at":1,"msg":"m"}\n',
    )
    // As digits of a card: a number for a time is none.
    expect(lineWith(',"time":4111111111111111', redact)).toContain('"time":4111111111111111')
  })
})

const created = (timestamp: () => unknown) => {
  const lines: string[] = []
  const problems: string[] = []
  const onDiagnostic = ({ message }: { message: string }) => void problems.push(message)
  const options = { base: null, timestamp: timestamp as () => string, onDiagnostic }
  const log = pino(options, { write: (line: string) => void lines.push(line) })
  log.info('m')
  return { lines, problems }
}

describe('the option timestamp when the logger is created', () => {
  test.each([undefined, 5, null, {}, Symbol('x'), Promise.resolve(',"time":1')])(
    'may return %p: the logger is created and writes the default timestamp',
    (answer) => {
      const { lines, problems } = created(() => answer)
      expect(lines).toEqual([expect.stringMatching(/^\{"level":30,"time":\d+,"msg":"m"\}\n$/)])
      expect(problems).toEqual(['timestamp threw: the record was logged without it'])
    },
  )

  test('may throw: it is reported, and log calls run the function again', () => {
    let calls = 0
    const { lines, problems } = created(() => {
      if (calls++ === 0) throw new Error('not yet')
      return ',"time":1'
    })
    expect(lines).toEqual(['{"level":30,"time":1,"msg":"m"}\n'])
    expect(problems).toEqual(['timestamp threw: the default timestamp is used'])
  })

  test('may return a promise that rejects: the rejection is observed and reported', async () => {
    const { lines, problems } = created(() => Promise.reject(new Error('late')))
    await Promise.resolve()
    expect(lines).toHaveLength(1)
    expect(problems).toHaveLength(1)
  })
})
