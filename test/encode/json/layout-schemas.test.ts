import { describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { LayoutName } from '../../../src/encode/json/layout-bases.ts'
import { capturingExporter, createTestLogger } from '../../support/files/test-logger.ts'
import { records, rules } from '../../support/values/records.ts'

// The published schemas of these formats; docs/reference/layouts.md has the sources.

function parsed(layout: LayoutName): Record<string, unknown>[] {
  const encoder = encoderFor(jsonLines(layout), rules)
  return records().map((record) => JSON.parse(encoder.encode(record) as string) as Record<string, unknown>)
}

test('ecs: the first fields are those of the specification in its order, and each field has its type', () => {
  const types: Readonly<Record<string, RegExp>> = {
    '@timestamp': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    'log.level': /^[a-z]+$/,
    'ecs.version': /^\d+\.\d+\.\d+$/,
    'trace.id': /^[0-9a-f]{32}$/,
    'span.id': /^[0-9a-f]{16}$/,
    'service.name': /./,
    'error.type': /./,
    'error.message': /./,
    'error.stack_trace': /\n {4}at /,
  }
  const seen = new Set<string>()
  for (const line of parsed('ecs')) {
    const names = Object.keys(line)
    expect(names.slice(0, 3)).toEqual(['@timestamp', 'log.level', 'message' in line ? 'message' : 'ecs.version'])
    expect(names).toContain('ecs.version')
    for (const name of names.filter((name) => Object.hasOwn(types, name))) {
      seen.add(name)
      expect(line[name]).toMatch(types[name]!)
    }
  }
  expect([...seen].toSorted()).toEqual(Object.keys(types).toSorted())
})

test('gcp: severity is a LogSeverity, trace_sampled is a boolean, and Error Reporting can parse the stack trace', () => {
  const severities = ['DEFAULT', 'DEBUG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY']
  const lines = parsed('gcp')
  for (const line of lines) {
    expect(severities).toContain(line['severity'])
    expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const isTraced = 'logging.googleapis.com/trace' in line
    expect(typeof line['logging.googleapis.com/trace_sampled']).toBe(isTraced ? 'boolean' : 'undefined')
  }
  // For JavaScript it requires the format of V8: the type and message, then lines that begin with `at`.
  expect(lines[4]!['stack_trace']).toMatch(/^\w*Error: no stock\n {4}at place \(/)
})

test('datadog: the status is a word that its remapper accepts, and ids fit into 64 bits', () => {
  for (const line of parsed('datadog')) {
    expect(line['status']).toMatch(/^(?:trace|debug|info|warn|error|fatal)$/)
    for (const id of Object.keys(line).filter((name) => name.startsWith('dd.'))) {
      expect(BigInt(line[id] as string)).toBeLessThan(2n ** 64n)
    }
  }
})

describe('pino: comparison with the lines of pino', () => {
  const error = Object.assign(new TypeError('no route'), { code: 'E_ROUTE' })
  const calls: readonly (readonly [string, (log: Calls) => void])[] = [
    ['a message', (log) => log.info('text')],
    ['attributes', (log) => log.warn({ a: 1, b: { c: [true, null] } }, 'text')],
    ['attributes alone', (log) => log.debug({ a: 1 })],
    ['an Error', (log) => log.error(error, 'failed')],
    ['an Error under err', (log) => log.fatal({ a: 1, err: error }, 'failed')],
    ['an Error alone', (log) => log.trace(error)],
    ['printf', (log) => log.info('%s took %d ms', 'job', 3)],
  ]

  test.each(calls)('pino: a line equals the line that pino writes for %s', (_, call) => {
    const written: string[] = []
    const pinoLogger = pino(
      { level: 'trace', base: { name: 'app' }, timestamp: () => ',"time":0' },
      { write: (text: string) => void written.push(text) },
    )
    call(pinoLogger)
    const keeper = capturingExporter(jsonLines('pino'))
    const { captureLine } = createTestLogger({ name: 'app' }, keeper)
    expect(captureLine((log) => call(log))).toEqual(JSON.parse(written[0]!))
  })

  interface Calls {
    trace(...args: unknown[]): void
    debug(...args: unknown[]): void
    info(...args: unknown[]): void
    warn(...args: unknown[]): void
    error(...args: unknown[]): void
    fatal(...args: unknown[]): void
  }
})
