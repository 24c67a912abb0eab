import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createLogger, type CoreLoggerOptions } from '../../src/create/create-core-logger.ts'
import { consoleExporter } from '../../src/exporters/console/console-exporter.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { defineEvent } from '../../src/logger/events.ts'
import { sdkVersion } from '../../src/record/sdk.ts'

beforeEach(() => {
  for (const method of ['debug', 'info', 'warn', 'error'] as const)
    jest.spyOn(console, method).mockImplementation(() => {})
})
afterEach(() => void jest.restoreAllMocks())

function logger(options: CoreLoggerOptions = {}) {
  const memory = memoryExporter()
  return { log: createLogger({ exporter: memory, ...options }), records: memory.records }
}

test('levels, children, serializers, limits, enrichment and events are those of every logger', () => {
  const { log, records } = logger({
    level: 'debug',
    messagePrefix: '[edge] ',
    serializers: { user: (user) => (user as { id: number }).id },
    limits: { items: 1 },
    enrich: () => ({ colo: 'FRA' }),
  })
  log.trace('not')
  log.child({ requestId: 'r-17' }).debug('said {user}', { user: { id: 7 }, list: [1, 2] })
  defineEvent('order.placed', { message: 'placed' })(log, {})
  expect(records).toMatchObject([
    { level: 'debug', message: '[edge] said 7', attributes: { colo: 'FRA', requestId: 'r-17', user: 7 } },
    { message: '[edge] placed', 'otel.event.name': 'order.placed' },
  ])
})

test('credentials in headers are covered, and so is whatever the options name', () => {
  const { log, records } = logger({ redact: { paths: ['card.number'], keys: [/token$/i] } })
  log.info({ headers: { authorization: 'canary' }, card: { number: 'canary' }, userToken: 'canary' }, 'paid')
  expect(records).toHaveLength(1)
  expect(JSON.stringify(records)).not.toContain('canary')
})

test('the resource is what the options say, and no environment', () => {
  process.env['OTEL_SERVICE_NAME'] = 'from the environment'
  const said: unknown[] = []
  jest.spyOn(console, 'info').mockImplementation((line) => void said.push(JSON.parse(line as string)))
  createLogger({ exporter: consoleExporter({ layout: 'otel' }), resource: { 'service.name': 'page' } }).info('x')
  createLogger({ exporter: consoleExporter({ layout: 'otel' }) }).info('x')
  delete process.env['OTEL_SERVICE_NAME']
  expect(JSON.stringify(said)).not.toContain('from the environment')
  expect(JSON.stringify(said)).toContain('page')
  expect(sdkVersion).toMatch(/^\d/)
})

describe('what needs a process is no option', () => {
  test.each(['handleExit', 'handleSignals', 'exitTimeoutMillis', 'provider'])('%s', (name) => {
    expect(() => createLogger({ [name]: true })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code: 'SLUICE_OPTION_UNKNOWN', path: name })] }),
    )
  })
})

test('nothing listens to the process', () => {
  const before = process.listenerCount('exit') + process.listenerCount('SIGTERM')
  logger().log.info('x')
  expect(process.listenerCount('exit') + process.listenerCount('SIGTERM')).toBe(before)
})

test('trouble is told to the console where nobody takes it', async () => {
  const { log } = logger({ exporter: { ...memoryExporter(), export: () => ({}) as never } })
  log.info('x')
  expect(console.error).toHaveBeenCalledWith(expect.stringMatching(/^sluice: SLUICE_EXPORT_FAILED: .*[^\n]$/))
  // It tells of its lost record now, not once it is collected, in another test.
  await log.shutdown()
})

test('flush and shutdown say what became of the records', async () => {
  const { log, records } = logger()
  log.info('x')
  expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(await log.shutdown()).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(records).toHaveLength(1)
})
