import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { scanJson } from '../../../src/cli/check/scan-json.ts'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns whether the whole text is a value, as `JSON.parse` requires. */
function isValue(text: string): boolean {
  const { end, error } = scanJson(text)
  return error === undefined && /^[ \t\r\n]*$/.test(text.slice(end))
}

const words = '"a" "b" true false null tru 01 1.5e-3 E+ \\n \\u00e9 \\u {"a":1}'.split(' ')
const characters = '{}[],:"0123.e- \t\n\0é\ud800\u001b'.split('')
const tokens = words.concat(characters)
const pieces = fc.array(fc.constantFrom(...tokens), { maxLength: 12 })

describe('scanJson', () => {
  it('accepts the same texts as JSON.parse', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((parts) => parts.join('')),
          fc.string(),
          fc.json(),
        ),
        (text) => {
          expect(isValue(text)).toBe(parses(text))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('accepts every JSON value, and finds its end', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, undefined, 1)
        expect(scanJson(`${text}\n{"a":1}`)).toEqual({ end: text.length, error: undefined, duplicate: undefined })
      }),
    )
  })

  it('finds the end of an object before another one', () => {
    expect(scanJson('{"a":{"b":[1]}}{"a":1}')).toMatchObject({ end: 15, error: undefined })
  })

  it('reports that a value ends too early at every position', () => {
    const text = '{"a":[1,"b\\u00e9",{"c":null}],"d":-1.5e+3}'
    for (let length = 0; length < text.length; length++) {
      expect(scanJson(text.slice(0, length))).toMatchObject({ end: length, error: 'ends too early' })
    }
  })

  it('reports the position of an unexpected character', () => {
    expect(scanJson('{"a":1,"b":x}')).toMatchObject({ end: 11, error: 'has an unexpected character' })
    expect(scanJson('{"a":"\u001b"}')).toMatchObject({ end: 6, error: 'has an unexpected character' })
  })

  it('reports the first key that occurs twice in one object', () => {
    expect(scanJson('{"a":1,"b":{"a":1},"\\u0061":2,"b":3}').duplicate).toEqual({ key: 'a', position: 19 })
    expect(scanJson('{"a":[{"b":1},{"b":1}],"__proto__":1,"toString":2}').duplicate).toBeUndefined()
    expect(scanJson('[{"__proto__":1,"__proto__":2}]').duplicate).toEqual({ key: '__proto__', position: 16 })
  })

  it('scans 20,000 levels', () => {
    const text = '[{"a":'.repeat(10_000)
    expect(scanJson(`${text}1${'}]'.repeat(10_000)}`)).toMatchObject({ error: undefined })
    expect(scanJson(text)).toMatchObject({ end: text.length, error: 'ends too early' })
  })
})
