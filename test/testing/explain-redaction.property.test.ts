import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { captureLogs, explainRedaction, type Redact, type RedactOptions } from '../../src/entries/testing.ts'

const name = fc.constantFrom('a', 'b', 'password', 'headers', 'cookie', 'x-y', 'list')
const { value: anySample } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('text', 'ada@example.com', 4111_1111_1111_1111, null, true),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
}))
const path = fc.constantFrom('a', 'a.*', '**.b', 'list[*].password', '*.headers.cookie', 'list[1]', '["x-y"].**')
const anyRules: fc.Arbitrary<Redact> = fc.record({
  paths: fc.uniqueArray(path, { maxLength: 3 }),
  keys: fc.constantFrom<RedactOptions['keys'][]>(undefined, 'secrets', ['b'], [/^pass/]),
  patterns: fc.constantFrom([], ['email'], ['card', 'email']),
  remove: fc.boolean(),
  credentialHeaders: fc.boolean(),
})

test('explainRedaction lists a rule whenever a log call writes something else than without rules', () => {
  fc.assert(
    fc.property(anyRules, fc.dictionary(name, anySample, { maxKeys: 4 }), (redact, attributes) => {
      const [written, plain] = [redact, { credentialHeaders: false }].map((rules) => {
        const logs = captureLogs({ redact: rules })
        logs.logger.info('text', attributes)
        return JSON.stringify(logs.records[0]!.attributes)
      })
      expect(explainRedaction(redact, attributes).length > 0).toBe(written !== plain)
    }),
    { examples: [[{ paths: ['a'] }, { a: 'text' }]] },
  )
})
