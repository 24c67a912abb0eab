import { expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { OutputFormat } from '../../src/output/output.ts'
import { appLog, bytesWritten, readRecord } from './written.ts'
import { nastyText } from '../support/values/arbitraries.ts'
import { seed } from '../support/seed.ts'

const codes = fc.constantFrom(
  '\u001b[2J',
  '\u001b[31m',
  '\u001b[8m',
  '\u001b]8;;http://x\u0007y\u001b]8;;\u0007',
  '\u001b]0;title\u001b\\',
  '\u001bP1$r\u001b\\',
  '\u009b2J',
  '\u009d0;t\u009c',
  '\r',
  '\r\n',
  '\n',
  '\t',
  '\b\b\b',
  '\u0007',
  '\0',
  '\u007f',
  '\u0085',
  '\u202egnp\u202c',
  '\u2066x\u2069',
  '\u061c',
  '\u2028',
  '\ud800',
  '"',
  ' = ',
)
const text = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof(codes, fc.string({ maxLength: 6 })), { maxLength: 6 }).map((parts) => parts.join('')),
  },
  nastyText,
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(text, text, { maxKeys: 3 }))
const parts = fc.record({
  message: fc.option(text, { nil: undefined }),
  attributes: fc.dictionary(
    fc.oneof(text, fc.constantFrom('exception.stacktrace', 'url.path', 'http.request.method', 'request.id')),
    value,
    {
      maxKeys: 4,
    },
  ),
  resource: fc.dictionary(fc.oneof(text, fc.constant('service.name')), value, { maxKeys: 2 }),
  level: text,
  scope: fc.option(text, { nil: undefined }),
  eventName: fc.option(text, { nil: undefined }),
  traceId: fc.option(text, { nil: undefined }),
  container: fc.option(text, { nil: undefined }),
  file: text,
  raw: fc.oneof(
    text.map((line) => `${line}\n`),
    fc.uint8Array({ maxLength: 40 }),
  ),
})

// oxlint-disable-next-line no-control-regex
const ownCodes = /\u001b\[(?:0|1|2|3[1-6]|1;3[1-6]|1;31;7)m/g
/** Everything that a terminal could interpret except for line ends. */
const interpreted = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u
const formats: readonly OutputFormat[] = ['pretty', 'line', 'json', 'raw', 'logfmt', 'otlp', 'csv']

it('writes no control character of 10,000 lines of data to a terminal in any format, except for its own colors and line ends', () => {
  let lines = 0
  fc.assert(
    fc.property(fc.array(parts, { minLength: 10, maxLength: 10 }), fc.boolean(), (items, usesColors) => {
      const files = [...new Set(['a.log', ...items.map(({ file }) => file)])]
      for (const format of formats) {
        const bytes = bytesWritten(
          format,
          (output) => {
            for (const { container, file, raw, ...item } of items) {
              const origin = { ...appLog, file, container }
              output.record(readRecord({ ...item, body: item.message, origin, raw }))
              output.text(typeof raw === 'string' ? Buffer.from(raw) : raw, origin)
            }
          },
          { isTerminal: true, usesColors, files, showKeys: usesColors ? ['*'] : undefined },
        )
        const shown = bytes.toString()
        // Valid UTF-8: no byte alone could be a C1 control character.
        expect(Buffer.from(shown).equals(bytes)).toBe(true)
        expect(interpreted.exec(usesColors ? shown.replaceAll(ownCodes, '') : shown)).toBeNull()
      }
      lines += items.length
    }),
    { numRuns: 1_000, seed },
  )
  expect(lines).toBeGreaterThanOrEqual(10_000)
})

it('writes exactly one line for each record in the format line and in logfmt', () => {
  fc.assert(
    fc.property(parts, fc.constantFrom<OutputFormat>('line', 'logfmt'), ({ container, file, raw, ...item }, format) => {
      const record = readRecord({ ...item, body: item.message, origin: { ...appLog, file, container }, raw })
      const shown = bytesWritten(format, (output) => output.record(record)).toString()
      expect(shown.indexOf('\n')).toBe(shown.length - 1)
    }),
    { numRuns: 500, seed },
  )
})
