import { afterEach, describe, expect, test } from '@jest/globals'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import {
  fileExporter,
  memoryExporter,
  otlpExporter,
  retry,
  spool,
  type SpoolOptions,
} from '../../../src/entries/exporters.ts'
import { createLoggerProvider } from '../../../src/entries/otel.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import type { OtelLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter-options.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../src/options/configuration-error.ts'
import { fakeCollector, status } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeSpools, folder, numbers, segmentsIn, spoolLogger } from './spool-logger.ts'

const good: SpoolOptions = { directory: '/nowhere/spool', maxBytes: 1024 * 1024 }

function problemsOf(create: () => unknown): readonly Omit<ConfigurationProblem, 'message'>[] {
  try {
    create()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ code, path }) => ({ code, path }))
  }
  return []
}

afterEach(closeSpools)

describe('validation of options', () => {
  test.each<[string, object, string, string]>([
    ['a missing directory', { maxBytes: 2 ** 20 }, 'SLUICE_OPTION_TYPE', 'spool.directory'],
    ['an empty directory', { ...good, directory: '' }, 'SLUICE_OPTION_RANGE', 'spool.directory'],
    ['a missing maxBytes', { directory: 'x' }, 'SLUICE_OPTION_TYPE', 'spool.maxBytes'],
    ['an infinite maxBytes', { ...good, maxBytes: Infinity }, 'SLUICE_OPTION_RANGE', 'spool.maxBytes'],
    ['a maxBytes below one line', { ...good, maxBytes: 2 ** 20 - 1 }, 'SLUICE_OPTION_RANGE', 'spool.maxBytes'],
    ['a maxAgeMillis of 0', { ...good, maxAgeMillis: 0 }, 'SLUICE_OPTION_RANGE', 'spool.maxAgeMillis'],
    ['an unknown fsync value', { ...good, fsync: 'always' }, 'SLUICE_OPTION_RANGE', 'spool.fsync'],
    ['an unknown option', { ...good, maxbytes: 1 }, 'SLUICE_OPTION_UNKNOWN', 'spool.maxbytes'],
  ])('spool rejects %s', (_, options, code, path) => {
    expect(problemsOf(() => spool(otlpExporter(), options as SpoolOptions))).toEqual([{ code, path }])
  })

  test('spool reports all invalid options at once', () => {
    const wrong = { fsync: 1 } as unknown as SpoolOptions
    expect(problemsOf(() => spool(memoryExporter(), wrong)).map(({ path }) => path)).toEqual([
      'spool.fsync',
      'spool.directory',
      'spool.maxBytes',
      'spool.exporter',
    ])
  })

  test('spool without options reports the required ones', () => {
    const none = undefined as unknown as SpoolOptions
    expect(problemsOf(() => spool(otlpExporter(), none)).map(({ path }) => path)).toEqual([
      'spool.directory',
      'spool.maxBytes',
    ])
  })
})

describe('exporters that cannot be spooled', () => {
  test.each<[string, () => Exporter]>([
    ['memoryExporter', () => memoryExporter()],
    ['fileExporter', () => fileExporter({ path: `${folder()}/log` })],
    ['an exporter of OTLP/protobuf', () => ({ ...retry(otlpExporter()), encoding: otlpEncoding('http/protobuf') })],
  ])('spool rejects %s with instructions', (_, create) => {
    expect(() => spool(create(), good)).toThrow(/use otlpExporter\(\), fromLogRecordExporter\(\) or another exporter/)
    expect(problemsOf(() => spool(create(), good))).toEqual([
      { code: 'SLUICE_OPTION_CONFLICT', path: 'spool.exporter' },
    ])
  })

  test('spool rejects an object that is not an exporter', () => {
    const none = {} as Exporter
    expect(problemsOf(() => spool(none, good))).toEqual([{ code: 'SLUICE_OPTION_TYPE', path: 'spool.exporter' }])
  })

  test('spool rejects an exporter that is already in a spool', () => {
    const exporter = otlpExporter()
    spool(exporter, good)
    expect(problemsOf(() => spool(exporter, good))).toEqual([
      { code: 'SLUICE_EXPORTER_IN_USE', path: 'spool.exporter' },
    ])
    expect(() => spool(exporter, good)).toThrow(expect.objectContaining({ code: 'SLUICE_EXPORTER_IN_USE' }))
  })
})

const protobuf = (): Exporter => spool(otlpExporter({ protocol: 'http/protobuf' }), good)

describe('the protocol in a spool', () => {
  test('the protocol in a spool is http/json by default', () => {
    const { encoding, component } = spool(otlpExporter(), good)
    expect(encoding.key).toBe('otlp:http/json')
    expect(component?.type).toBe('otlp_http_json_log_exporter')
  })

  test('the protocol option http/protobuf is rejected in a spool', () => {
    expect(problemsOf(protobuf)).toEqual([{ code: 'SLUICE_OPTION_CONFLICT', path: 'otlpExporter.protocol' }])
    expect(protobuf).toThrow('must be http/json or omitted inside spool()')
  })

  test.each(['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_LOGS_PROTOCOL'])(
    'the protocol in a spool is http/json when %s is http/protobuf, which is reported once',
    (variable) => {
      const env = { [variable]: 'HTTP/protobuf' }
      const problems = [spoolLogger({ env }), spoolLogger({ env })].flatMap((harness) => harness.problems)
      expect(problems).toEqual([
        {
          code: 'SLUICE_ENV_INVALID',
          message: expect.stringMatching(`^${variable} is http/protobuf, but the files of a spool`),
        },
      ])
    },
  )

  test('the protocol in the environment is not reported when the protocol option is set', () => {
    const env = { OTEL_EXPORTER_OTLP_PROTOCOL: ' http/protobuf' }
    expect(spoolLogger({ env, otlp: { protocol: 'http/json' } }).problems).toEqual([])
  })
})

describe('other exporters in a spool', () => {
  test('an OpenTelemetry exporter is spooled without its own retries', async () => {
    const bodies: unknown[] = []
    let works = false
    const foreign: OtelLogRecordExporter = {
      export(records, answer) {
        if (works) bodies.push(...records.map(({ attributes }) => (attributes as { seq?: unknown } | undefined)?.seq))
        answer(works ? { code: 0 } : { code: 1, error: Object.assign(new Error('down'), { code: 'ECONNREFUSED' }) })
      },
      shutdown: async () => {},
    }
    const exporter = fromLogRecordExporter(foreign, {
      scheduledDelayMillis: 5,
      retry: { initialDelayMillis: 5, maxDelayMillis: 5 },
    })
    const { log, logAll, stats, deliveryStats } = spoolLogger({ exporter })
    logAll(5)
    await log.flush()
    expect(deliveryStats()).toMatchObject({ written: 5, dropped: { total: 0 } })
    works = true
    await waitUntil(() => stats().replayed === 5)
    expect(bodies).toEqual(numbers(5))
  })

  test('batches of an exporter that throws are spooled, and a batch that always fails is dropped', async () => {
    const taken: string[] = []
    let poison = ''
    const exporter: Exporter = {
      name: 'own',
      encoding: otlpEncoding('http/json'),
      schedule: 'turn',
      delivery: {},
      export(batch) {
        if (batch.text().includes(poison)) throw new Error('no')
        taken.push(batch.text())
        return { status: 'accepted' }
      },
    }
    const { log, stats, problems } = spoolLogger({
      exporter: retry(exporter, { initialDelayMillis: 1, maxDelayMillis: 1 }),
    })
    log.info('poison')
    await log.flush()
    log.info('fine')
    await log.flush()
    poison = 'poison'
    await waitUntil(() => stats().waiting === 0)
    expect(taken.join('')).toContain('"fine"')
    expect(stats()).toMatchObject({ spooled: 2, replayed: 2, rejected: 1 })
    expect(problems.map(({ code }) => code)).toContain('SLUICE_EXPORT_FAILED')
  })

  test('a LoggerProvider logs through a spool', async () => {
    const server = await fakeCollector()
    server.respondNext(status(503))
    const exporter = spool(
      otlpExporter({ url: server.url, scheduledDelayMillis: 5, retry: { initialDelayMillis: 5 } }),
      {
        directory: folder(),
        maxBytes: 2 ** 20,
      },
    )
    const provider = createLoggerProvider({ exporter })
    provider.getLogger('test').emit({ body: 'first', attributes: { seq: 0 } })
    await provider.forceFlush()
    await waitUntil(() => exporter.spoolStats().replayed === 1)
    provider.getLogger('test').emit({ body: 'second', attributes: { seq: 1 } })
    await provider.shutdown()
    expect(server.sequence).toEqual([0, 0, 1])
    await server.close()
  })
})

// Fault rows: 34, 36
test('spool files are readable only by their owner and contain redacted records and no exporter secrets', async () => {
  const server = await fakeCollector()
  server.respondAlways(status(503))
  const otlp = { headers: { authorization: 'Bearer header-secret' } }
  const { log, directory } = spoolLogger({
    url: server.url.replace('//', '//user:url-secret@'),
    otlp,
    logger: { redact: ['password'] },
  })
  log.info('login', { password: 'field-secret' })
  await log.flush()
  const [segment] = segmentsIn(directory)
  expect(statSync(segment!).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(segment!)).mode & 0o777).toBe(0o700)
  const { readFileSync } = await import('node:fs')
  const text = readFileSync(segment!, 'utf8')
  expect(text).toContain('[REDACTED]')
  expect(text + segment).not.toMatch(/secret/)
  await server.close()
})
