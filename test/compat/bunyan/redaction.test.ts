import { expect, test } from '@jest/globals'
import { createLogger } from '../../../src/entries/bunyan.ts'
import { canary } from '../../encode/redaction-scenarios.ts'

test('records written to raw streams are redacted and keep `time` as a Date', () => {
  const records: { time: unknown; user: unknown }[] = []
  const stream = { write: (record: (typeof records)[number]) => records.push(record) }
  const log = createLogger({ name: 'n', redact: ['user.pin'], streams: [{ type: 'raw', stream }] })
  log.info({ user: { pin: canary, id: 1 } }, 'm')
  expect(records).toMatchObject([{ time: expect.any(Date), user: { pin: '[REDACTED]', id: 1 }, msg: 'm' }])
})
