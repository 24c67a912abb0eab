import { describe, expect, test } from '@jest/globals'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { pretty } from '../../../src/exporters/pretty-encoding.ts'
import type { LogRecord } from '../../../src/record/record.ts'
import { emptyScopeDetails } from '../../../src/record/instrumentation-source.ts'
import { golden } from '../../support/values/golden.ts'
import { recordOf, records, rules } from '../../support/values/records.ts'

function human(some: LogRecord[], color = false): string {
  const encoder = encoderFor(pretty({ colors: color }), rules)
  return some.map((record) => encoder.encode(record) as string).join('')
}

/** Replaces the local time of day; colors are kept. */
function inUtc(text: string): string {
  return text.replace(/\d{2}:\d{2}:\d{2}(?=\.123)/g, '09:56:03')
}

describe('the pretty format', () => {
  test('the pretty format shows attributes, and errors with their stack', () => {
    const some = records().slice(0, -1)
    const plain = inUtc(human(some))
    expect(plain).toBe(golden('pretty.txt', plain))
    const colored = inUtc(human(some, true))
    expect(colored).toBe(golden('pretty-color.txt', colored))
  })

  // Fault rows: 29
  test('the pretty format escapes control characters and bidirectional marks', () => {
    const codes = [
      ...Array(32).keys(),
      ...Array.from({ length: 33 }, (_, index) => 127 + index),
      0x61c,
      0x200e,
      0x200f,
      0x2028,
      0x2029,
      0x202a,
      0x202e,
      0x2066,
      0x2069,
      0xd800,
      0xdfff,
    ]
    for (const evil of codes.map((code) => String.fromCharCode(code))) {
      const error = Object.assign(new Error(evil), { stack: `Error: ${evil}\n    at ${evil}` })
      const record = recordOf(
        { body: evil, level: evil, attributes: { [evil]: evil, deep: { [evil]: [evil] } }, exception: error },
        {
          scope: { ...emptyScopeDetails, name: evil, version: undefined },
          attributes: new Map([[`b${evil}`, evil]]),
          messagePrefix: evil,
        },
      )
      const shown = human([record])
      expect(shown.replaceAll('\n    ', '').slice(0, -1)).not.toContain(evil)
      expect(
        shown
          .split('\n')
          .slice(1)
          .every((part) => part === '' || part.startsWith('    ')),
      ).toBe(true)
    }
  })
})
