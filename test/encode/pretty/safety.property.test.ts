import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { encoderFor } from '../../../src/encode/encoding.ts'
import type { PrettyOptions } from '../../../src/encode/pretty/settings.ts'
import { pretty } from '../../../src/exporters/pretty-encoding.ts'
import { emptyScopeDetails } from '../../../src/record/instrumentation-source.ts'
import { nastyText } from '../../support/values/arbitraries.ts'
import { recordOf, rules } from '../../support/values/records.ts'

const text = fc.oneof(
  nastyText,
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '\u001b[2J',
    '\u001b]8;;http://x\u0007y',
    '\u009b31m',
    'a\rb',
    '\u202egnp',
    '\u001b[0m\n10:00:00.000 INFO  forged',
    '東京'.repeat(60),
  ),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 20 }),
    fc.array(tie('any'), { maxLength: 5 }),
    fc.dictionary(text, tie('any'), { maxKeys: 5 }),
  ),
})).any
const attributes = fc.dictionary(
  fc.oneof(
    text,
    fc.constantFrom(
      'request.id',
      'http.request.method',
      'url.path',
      'http.response.status_code',
      'http.server.request.duration',
    ),
  ),
  value,
  { maxKeys: 6 },
)
const options: fc.Arbitrary<PrettyOptions> = fc.record(
  {
    time: fc.constantFrom('local', 'utc', 'iso', 'relative', 'Asia/Kolkata'),
    multiline: fc.boolean(),
    only: fc.constantFrom(['*'], ['a*']),
    levelLabels: fc.dictionary(fc.constantFrom('info', 'warn'), text),
    errorFrames: fc.constantFrom<number | 'own'>('own', 0, 2),
    width: fc.integer({ min: 40, max: 200 }),
    colors: fc.boolean(),
  },
  { requiredKeys: [] },
)
const error = fc
  .record({ name: text, message: text, stack: text, frames: fc.array(text, { maxLength: 3 }) })
  .map((parts) =>
    Object.assign(new Error(parts.message), {
      name: parts.name,
      stack: `${parts.stack}${parts.frames.map((frame) => `\n    at ${frame} (file:///tmp/%1b%0a${frame}:1:1)`).join('')}`,
      cause: parts.frames[0],
    }),
  )

// oxlint-disable-next-line no-control-regex
const ownCodes = /\u001b\[(?:0|1|2|3[1-6]|1;3[13]|1;31;7)m/g
const interpreted = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u

// Fault rows: 29
test('no byte of a record reaches the terminal as a control code or as the start of another record', () => {
  fc.assert(
    fc.property(
      fc.record({
        body: fc.oneof(text, value),
        level: text,
        attributes,
        scope: text,
        bound: fc.array(fc.tuple(text, text)),
        prefix: text,
      }),
      fc.option(error, { nil: undefined }),
      options,
      ({ body, level, attributes: members, scope, bound, prefix }, exception, chosen) => {
        const record = recordOf(
          { body, level, attributes: members, exception },
          {
            scope: { ...emptyScopeDetails, name: scope, version: undefined },
            attributes: new Map(bound),
            messagePrefix: prefix,
          },
        )
        const encoded = encoderFor(pretty(chosen), rules).encode(record) as string
        const lines = (chosen.colors === true ? encoded.replaceAll(ownCodes, '') : encoded).split('\n')
        expect(lines.pop()).toBe('')
        for (const line of lines) expect(interpreted.exec(line)).toBeNull()
        for (const line of lines.slice(1)) expect(line.slice(0, 4)).toBe('    ')
      },
    ),
    { numRuns: 500 },
  )
})
