import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-core-logger.ts'
import { consoleExporter } from '../../../src/exporters/console/console-exporter.ts'

const methods = ['debug', 'info', 'warn', 'error'] as const
let said: [method: string, what: unknown][] = []

beforeEach(() => {
  said = []
  for (const method of methods) {
    jest.spyOn(console, method).mockImplementation((what: unknown) => {
      said.push([method, what])
    })
  }
})
afterEach(() => void jest.restoreAllMocks())

test('each level has its method of the console', () => {
  const log = createLogger({ level: 'trace', levels: { notice: 10 } })
  for (const level of ['trace', 'debug', 'info', 'notice', 'warn', 'error', 'fatal'] as const) log[level](level)
  expect(said.map(([method]) => method)).toEqual(['debug', 'debug', 'info', 'info', 'warn', 'error', 'error'])
  expect(log.stats()).toMatchObject({ emitted: 7, written: 7, queued: 0 })
})

test('a record is there when the call returns, as one line without its end', () => {
  createLogger({ name: 'page', clock: () => 0 }).info('{n} ü\n', { n: 1 })
  expect(said).toEqual([
    [
      'info',
      '{"timestamp":"1970-01-01T00:00:00.000Z","level":"info","message":"1 ü\\n","otel.scope.name":"page","attributes":{"n":1}}',
    ],
  ])
})

test('a record can be an object, in any layout', () => {
  createLogger({ exporter: consoleExporter({ format: 'object', layout: 'otel' }) }).info('hello', { n: 1 })
  expect(said).toEqual([['info', expect.objectContaining({ body: 'hello', attributes: { n: 1 } })]])
})

test('a console that throws costs its record, which is counted', () => {
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

test('what replaces a method of the console to log by way of it is not called by it', () => {
  const log = createLogger()
  const { info } = console
  console.info = (what) => log.info(String(what))
  console.info('from outside')
  console.info = info
  expect(said).toHaveLength(1)
})

test('after the end nothing is written', async () => {
  const log = createLogger()
  await log.shutdown()
  log.info('late')
  expect(said).toEqual([])
  expect(log.stats().dropped.byReason.shutdown).toBe(1)
})

describe('wrong options are refused', () => {
  test.each([
    [{ format: 'pretty' }, 'SLUICE_OPTION_RANGE', 'consoleExporter.format'],
    [{ layout: { fields: 'none' } }, expect.any(String), expect.stringContaining('layout')],
    [{ fromat: 'json' }, 'SLUICE_OPTION_UNKNOWN', 'consoleExporter.fromat'],
  ])('%j', (options, code, path) => {
    expect(() => consoleExporter(options as never)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code, path })] }),
    )
  })
})
