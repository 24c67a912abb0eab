import { afterEach, expect, test } from '@jest/globals'
import bole from '../../../src/entries/bole.ts'
import { canary } from '../../encode/redaction-scenarios.ts'
import { objectStream, output } from './support.ts'

afterEach(() => void bole.reset())

test('redaction rules apply only to the output that sets them, including a stream in object mode', () => {
  const all = output()
  const redacted = output({ redact: ['pin', 'err.message'] })
  const { stream, objects } = objectStream()
  bole.output({ level: 'debug', stream: all }).output({ level: 'debug', stream, redact: ['pin', 'err.message'] })
  bole('test').error(new Error(canary), { pin: canary }, 'm')
  expect(all.text.match(new RegExp(canary, 'g'))).toHaveLength(3)
  expect(redacted.text).not.toContain(canary)
  expect(objects).toMatchObject([{ pin: '[REDACTED]', message: 'm' }])
  expect(JSON.stringify(objects)).not.toContain(canary)
})
