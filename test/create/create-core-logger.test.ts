import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createLogger, type CoreLoggerOptions } from '../../src/create/create-core-logger.ts'
import { consoleExporter } from '../../src/exporters/console/console-exporter.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { defineEvent } from '../../src/logger/events.ts'
import { sdkVersion } from '../../src/record/sdk-version.ts'

beforeEach(() => {
  for (const method of ['debug', 'info', 'warn', 'error'] as const)
    jest.spyOn(console, method).mockImplementation(() => {})
})
afterEach(() => void jest.restoreAllMocks())

function logger(options: CoreLoggerOptions = {}) {
  const memory = memoryExporter()
  return { log: createLogger({ exporter: memory, ...options }), records: memory.records }
}

test('createLogger of the core supports levels, children, serializers, limits, enrichment and events', () => {
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

test('credentials in headers and everything that the options name are redacted', () => {
  const { log, records } = logger({ redact: { paths: ['card.number'], keys: [/token$/i] } })
  log.info({ headers: { authorization: 'canary' }, card: { number: 'canary' }, userToken: 'canary' }, 'paid')
  expect(records).toHaveLength(1)
  expect(JSON.stringify(records)).not.toContain('canary')
})

test('the resource comes from the options only and not from the environment', () => {
  process.env['OTEL_SERVICE_NAME'] = 'from the environment'
  const lines: unknown[] = []
  jest.spyOn(console, 'info').mockImplementation((line) => void lines.push(JSON.parse(line as string)))
  createLogger({ exporter: consoleExporter({ layout: 'otel' }), resource: { 'service.name': 'page' } }).info('x')
  createLogger({ exporter: consoleExporter({ layout: 'otel' }) }).info('x')
  delete process.env['OTEL_SERVICE_NAME']
  expect(JSON.stringify(lines)).not.toContain('from the environment')
  expect(JSON.stringify(lines)).toContain('page')
  expect(sdkVersion).toMatch(/^\d/)
})

describe('options that need a process', () => {
  test.each(['handleExit', 'handleSignals', 'exitTimeoutMillis', 'provider'])('the option %s is rejected', (name) => {
    expect(() => createLogger({ [name]: true })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code: 'SLUICE_OPTION_UNKNOWN', path: name })] }),
    )
  })
})

test('a core logger adds no listener to the process', () => {
  const before = process.listenerCount('exit') + process.listenerCount('SIGTERM')
  logger().log.info('x')
  expect(process.listenerCount('exit') + process.listenerCount('SIGTERM')).toBe(before)
})

test('diagnostics are written to the console when there is no onDiagnostic', async () => {
  const { log } = logger({ exporter: { ...memoryExporter(), export: () => ({}) as never } })
  log.info('x')
  expect(console.error).toHaveBeenCalledWith(expect.stringMatching(/^sluice: SLUICE_EXPORT_FAILED: .*[^\n]$/))
  // Shut down here: the lost record would otherwise be reported on garbage collection, during another test.
  await log.shutdown()
})

test('flush and shutdown return the outcome of the records', async () => {
  const { log, records } = logger()
  log.info('x')
  expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(await log.shutdown()).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(records).toHaveLength(1)
})
