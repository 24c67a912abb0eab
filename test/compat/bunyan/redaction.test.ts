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

test.each([
  ['`time` is redacted', { redact: ['time'] }, '[REDACTED]'],
  ['a censor replaces `time`', { redact: { paths: ['time'], censor: () => 'then' } }, 'then'],
  ['`time` is removed', { redact: { paths: ['time'], remove: true } }, undefined],
])('records written to raw streams do not contain the Date if %s', (_, options, time) => {
  const records: { time?: unknown }[] = []
  const stream = { write: (record: (typeof records)[number]) => records.push(record) }
  const log = createLogger({ name: 'n', ...options, streams: [{ type: 'raw', stream }] })
  log.info({ time: new Date(0) }, 'm')
  expect(records.map((record) => record.time)).toEqual([time])
})
