import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-core-logger.ts'
import { consoleExporter } from '../../../src/exporters/console/console-exporter.ts'

const methods = ['debug', 'info', 'warn', 'error'] as const
let calls: [method: string, value: unknown][] = []

beforeEach(() => {
  calls = []
  for (const method of methods) {
    jest.spyOn(console, method).mockImplementation((value: unknown) => {
      calls.push([method, value])
    })
  }
})
afterEach(() => void jest.restoreAllMocks())

test('each level is logged with the console method for it', () => {
  const log = createLogger({ level: 'trace', levels: { notice: 10 } })
  for (const level of ['trace', 'debug', 'info', 'notice', 'warn', 'error', 'fatal'] as const) log[level](level)
  expect(calls.map(([method]) => method)).toEqual(['debug', 'debug', 'info', 'info', 'warn', 'error', 'error'])
  expect(log.stats()).toMatchObject({ emitted: 7, written: 7, queued: 0 })
})

test('a record is passed to the console as one line without a newline when the call returns', () => {
  createLogger({ name: 'page', clock: () => 0 }).info('{n} ü\n', { n: 1 })
  expect(calls).toEqual([
    [
      'info',
      '{"timestamp":"1970-01-01T00:00:00.000Z","level":"info","message":"1 ü\\n","otel.scope.name":"page","attributes":{"n":1}}',
    ],
  ])
})

test('the format object passes records as objects, in any layout', () => {
  createLogger({ exporter: consoleExporter({ format: 'object', layout: 'otel' }) }).info('hello', { n: 1 })
  expect(calls).toEqual([['info', expect.objectContaining({ body: 'hello', attributes: { n: 1 } })]])
})

test('a record is counted as dropped when the console throws', () => {
  const problems: string[] = []
  jest.spyOn(console, 'warn').mockImplementation(() => {
    throw new Error('no')
  })
  const log = createLogger({ onDiagnostic: ({ code }) => problems.push(code) })
  log.warn('lost')
  expect(log.stats().dropped.byReason.io_error).toBe(1)
  expect(log.stats()).toMatchObject({ emitted: 1, written: 0, queued: 0 })
  expect(problems).toEqual([])
})

test('a replaced console method that logs through the logger is not called by the logger', () => {
  const log = createLogger()
  const { info } = console
  console.info = (value) => log.info(String(value))
  console.info('from outside')
  console.info = info
  expect(calls).toHaveLength(1)
})

test('no record is written after shutdown', async () => {
  const log = createLogger()
  await log.shutdown()
  log.info('late')
  expect(calls).toEqual([])
  expect(log.stats().dropped.byReason.shutdown).toBe(1)
})

describe('validation of options', () => {
  test.each([
    [{ format: 'pretty' }, 'SLUICE_OPTION_RANGE', 'consoleExporter.format'],
    [{ layout: { fields: 'none' } }, expect.any(String), expect.stringContaining('layout')],
    [{ fromat: 'json' }, 'SLUICE_OPTION_UNKNOWN', 'consoleExporter.fromat'],
  ])('the invalid options %j are rejected', (options, code, path) => {
    expect(() => consoleExporter(options as never)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code, path })] }),
    )
  })
})
