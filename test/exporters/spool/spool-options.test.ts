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
import { until } from '../../support/until.ts'
import { closeSpools, folder, numbers, segmentsIn, spoolLogger } from './spool-logger.ts'

const good: SpoolOptions = { directory: '/nowhere/spool', maxBytes: 1024 * 1024 }

function problemsOf(make: () => unknown): readonly Omit<ConfigurationProblem, 'message'>[] {
  try {
    make()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ code, path }) => ({ code, path }))
  }
  return []
}

afterEach(closeSpools)

describe('wrong options are refused at construction', () => {
  test.each<[string, object, string, string]>([
    ['no directory', { maxBytes: 2 ** 20 }, 'SLUICE_OPTION_TYPE', 'spool.directory'],
    ['an empty directory', { ...good, directory: '' }, 'SLUICE_OPTION_RANGE', 'spool.directory'],
    ['no bound', { directory: 'x' }, 'SLUICE_OPTION_TYPE', 'spool.maxBytes'],
    ['a bound of no end', { ...good, maxBytes: Infinity }, 'SLUICE_OPTION_RANGE', 'spool.maxBytes'],
    ['a bound below one line', { ...good, maxBytes: 2 ** 20 - 1 }, 'SLUICE_OPTION_RANGE', 'spool.maxBytes'],
    ['an age of nothing', { ...good, maxAgeMillis: 0 }, 'SLUICE_OPTION_RANGE', 'spool.maxAgeMillis'],
    ['an fsync that there is not', { ...good, fsync: 'always' }, 'SLUICE_OPTION_RANGE', 'spool.fsync'],
    ['a name that there is not', { ...good, maxbytes: 1 }, 'SLUICE_OPTION_UNKNOWN', 'spool.maxbytes'],
  ])('%s', (_, options, code, path) => {
    expect(problemsOf(() => spool(otlpExporter(), options as SpoolOptions))).toEqual([{ code, path }])
  })

  test('all of them at once', () => {
    const wrong = { fsync: 1 } as unknown as SpoolOptions
    expect(problemsOf(() => spool(memoryExporter(), wrong)).map(({ path }) => path)).toEqual([
      'spool.fsync',
      'spool.directory',
      'spool.maxBytes',
      'spool.exporter',
    ])
  })

  test('no options at all', () => {
    const none = undefined as unknown as SpoolOptions
    expect(problemsOf(() => spool(otlpExporter(), none)).map(({ path }) => path)).toEqual([
      'spool.directory',
      'spool.maxBytes',
    ])
  })
})

describe('an exporter that cannot be spooled is refused, with what to do', () => {
  test.each<[string, () => Exporter]>([
    ['memoryExporter', () => memoryExporter()],
    ['fileExporter', () => fileExporter({ path: `${folder()}/log` })],
    ['one of OTLP/protobuf', () => ({ ...retry(otlpExporter()), encoding: otlpEncoding('http/protobuf') })],
  ])('%s', (_, make) => {
    expect(() => spool(make(), good)).toThrow(/use otlpExporter\(\), fromLogRecordExporter\(\), or an exporter whose/)
    expect(problemsOf(() => spool(make(), good))).toEqual([{ code: 'SLUICE_OPTION_CONFLICT', path: 'spool.exporter' }])
  })

  test('what is none', () => {
    const none = {} as Exporter
    expect(problemsOf(() => spool(none, good))).toEqual([{ code: 'SLUICE_OPTION_TYPE', path: 'spool.exporter' }])
  })

  test('one that is behind a spool already', () => {
    const exporter = otlpExporter()
    spool(exporter, good)
    expect(problemsOf(() => spool(exporter, good))).toEqual([
      { code: 'SLUICE_EXPORTER_IN_USE', path: 'spool.exporter' },
    ])
  })
})

const protobuf = (): Exporter => spool(otlpExporter({ protocol: 'http/protobuf' }), good)

describe('the protocol inside of a spool', () => {
  test('is http/json where nobody says another one', () => {
    const { encoding, component } = spool(otlpExporter(), good)
    expect(encoding.key).toBe('otlp:http/json')
    expect(component?.type).toBe('otlp_http_json_log_exporter')
  })

  test('is refused where code says http/protobuf, by the name of the option', () => {
    expect(problemsOf(protobuf)).toEqual([{ code: 'SLUICE_OPTION_CONFLICT', path: 'otlpExporter.protocol' }])
    expect(protobuf).toThrow('must be http/json inside of spool()')
  })

  test.each(['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_LOGS_PROTOCOL'])(
    'is http/json where %s says http/protobuf, which is told once',
    (variable) => {
      const env = { [variable]: 'HTTP/protobuf' }
      const told = [spoolLogger({ env }), spoolLogger({ env })].flatMap(({ problems }) => problems)
      expect(told).toEqual([
        { code: 'SLUICE_ENV_INVALID', message: expect.stringMatching(`^${variable} is http/protobuf, which a spool`) },
      ])
    },
  )

  test('is told for nobody who says it himself', () => {
    const env = { OTEL_EXPORTER_OTLP_PROTOCOL: ' http/protobuf' }
    expect(spoolLogger({ env, otlp: { protocol: 'http/json' } }).problems).toEqual([])
  })
})

describe('exporters of others', () => {
  test('one of OpenTelemetry is spooled, and not held up by tries of its own', async () => {
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
    const { log, logAll, stats, ledger } = spoolLogger({ exporter })
    logAll(5)
    await log.flush()
    expect(ledger()).toMatchObject({ written: 5, dropped: { total: 0 } })
    works = true
    await until(() => stats().replayed === 5)
    expect(bodies).toEqual(numbers(5))
  })

  test('one that throws is spooled, and a batch at which it always throws is given up', async () => {
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
    await until(() => stats().waiting === 0)
    expect(taken.join('')).toContain('"fine"')
    expect(stats()).toMatchObject({ spooled: 2, replayed: 2, rejected: 1 })
    expect(problems.map(({ code }) => code)).toContain('SLUICE_EXPORT_FAILED')
  })

  test('a provider of OpenTelemetry logs through a spool as well', async () => {
    const server = await fakeCollector()
    server.answerNext(status(503))
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
    await until(() => exporter.spoolStats().replayed === 1)
    provider.getLogger('test').emit({ body: 'second', attributes: { seq: 1 } })
    await provider.shutdown()
    expect(server.sequence).toEqual([0, 0, 1])
    await server.close()
  })
})

test('files are for their owner alone, and hold what was redacted and nothing of the exporter (rows 34, 36)', async () => {
  const server = await fakeCollector()
  server.answerAlways(status(503))
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
