import { expect, test } from '@jest/globals'
import { memoryExporter } from '../../../src/exporters.ts'
import { pino } from '../../../src/pino.ts'
import { Lines } from './support.ts'

test('each record is an OpenTelemetry log record, too, where there is an exporter', async () => {
  const kept = new Lines()
  const exporter = memoryExporter()
  const log = pino({ exporter, name: 'shop', customLevels: { notice: 35 }, redact: ['user.password'] }, kept)
  log.child({ tenant: 'acme' }).notice({ user: { password: 'secret' }, n: 1 }, 'order {n} of %s', 'x')
  log.error(new TypeError('broken'))
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  expect(kept.lines).toHaveLength(2)
  expect(exporter.records).toMatchObject([
    {
      level: 'notice',
      severity_number: 11,
      message: 'order {n} of x',
      'otel.scope.name': 'shop',
      attributes: { tenant: 'acme', n: 1, user: { password: '[REDACTED]' } },
    },
    {
      level: 'error',
      message: 'broken',
      attributes: { 'exception.type': 'TypeError', 'exception.message': 'broken' },
    },
  ])
})

test('a level of a name that no method can have is a record of the nearest severity', async () => {
  const exporter = memoryExporter()
  const log = pino({ exporter, customLevels: { 'very-bad': 55 } }, new Lines())
  log['very-bad']('x')
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  expect(exporter.records).toMatchObject([{ level: 'error' }])
})
