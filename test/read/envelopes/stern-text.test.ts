import { expect, it } from '@jest/globals'
import { EnvelopeReader } from '../../../src/read/envelopes/unwrap.ts'

it('unwraps text with a prefix of stern only after the prefix was in front of JSON', () => {
  const envelopes = new EnvelopeReader()
  const text = 'web-5d8 app Server listening on port 3000'
  expect(envelopes.unwrap(text)).toBeUndefined()
  expect(envelopes.unwrap('web-5d8 app {"level":30,"msg":"started"}')?.container).toBe('web-5d8/app')
  expect(envelopes.unwrap(text)).toMatchObject({ container: 'web-5d8/app', inner: 'Server listening on port 3000' })
})
