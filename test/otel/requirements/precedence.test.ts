import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-logger.ts'
import { lineEncoding } from '../../../src/exporters/line-exporter-options.ts'
import { otlpSettings } from '../../../src/exporters/otlp/options.ts'
import { otlpExporter } from '../../../src/exporters/otlp/otlp-exporter.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { providerFromEnvironment } from '../../../src/otel/provider/provider-environment.ts'
import { AcceptingExporter } from '../../support/pipeline/exporters.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { emitting } from '../provider/emitting.ts'

/** An environment variable and its equivalent option. `observe` returns the effect of both. */
interface Setting {
  readonly variable: string
  readonly value: string
  /** Other variables that must be set for the effect. */
  readonly otherVariables?: Readonly<Record<string, string>>
  readonly observe: (code: object) => unknown
  readonly code: object
  /** The effect of the variable, and of the option. */
  readonly expected: readonly [unknown, unknown]
}

const otlp = (read: (settings: ReturnType<typeof otlpSettings>) => unknown) => (code: object) =>
  read(otlpSettings(code, process.env))
const level = (code: object) => createLogger({ exporter: new AcceptingExporter(), handleExit: false, ...code }).level
const resourceOf = (name: string) => (code: object) => {
  const { provider, sources } = emitting(code)
  provider.getLogger('a').emit({})
  return sources()[0]!.resource.get(name)?.stringValue
}
const attributeCount = (code: object) => {
  const { provider, emitted } = emitting(code)
  provider.getLogger('a').emit({ attributes: { a: 1, b: 2, c: 3 } })
  return emitted()[0]!.attributes.size
}
const textLength = (code: object) => {
  const { provider, emitted } = emitting(code)
  provider.getLogger('a').emit({ attributes: { a: 'x'.repeat(9) } })
  return emitted()[0]!.attributes.get('a')!.stringValue!.length
}
const encodingName = (code: object) => lineEncoding(code, undefined).key
const withFiles = (name: 'ca' | 'cert' | 'key') => otlp(({ tls }) => String(tls.read()[name]))

let directory: TemporaryDirectory
const saved = { ...process.env }
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const signals = ['OTEL_EXPORTER_OTLP_', 'OTEL_EXPORTER_OTLP_LOGS_']
const settings: Setting[] = [
  {
    variable: 'OTEL_SERVICE_NAME',
    value: 'env',
    observe: resourceOf('service.name'),
    code: { resource: { 'service.name': 'code' } },
    expected: ['env', 'code'],
  },
  {
    variable: 'OTEL_RESOURCE_ATTRIBUTES',
    value: 'team=env',
    observe: resourceOf('team'),
    code: { resource: { team: 'code' } },
    expected: ['env', 'code'],
  },
  ...['OTEL_', 'OTEL_LOGRECORD_'].flatMap((prefix): Setting[] => [
    {
      variable: `${prefix}ATTRIBUTE_COUNT_LIMIT`,
      value: '1',
      observe: attributeCount,
      code: { limits: { attributes: 2 } },
      expected: [1, 2],
    },
    {
      variable: `${prefix}ATTRIBUTE_VALUE_LENGTH_LIMIT`,
      value: '2',
      observe: textLength,
      code: { limits: { stringLength: 4 } },
      expected: [2, 4],
    },
  ]),
  ...signals.flatMap((prefix): Setting[] => [
    {
      variable: `${prefix}ENDPOINT`,
      value: 'http://env/',
      observe: otlp(({ url }) => url.hostname),
      code: { url: 'http://code/' },
      expected: ['env', 'code'],
    },
    {
      variable: `${prefix}PROTOCOL`,
      value: 'http/json',
      observe: otlp(({ protocol }) => protocol),
      code: { protocol: 'http/protobuf' },
      expected: ['http/json', 'http/protobuf'],
    },
    {
      variable: `${prefix}HEADERS`,
      value: 'a=env',
      observe: otlp(({ headers }) => new Map(headers.getSync()).get('a')),
      code: { headers: { A: 'code' } },
      expected: ['env', 'code'],
    },
    {
      variable: `${prefix}COMPRESSION`,
      value: 'gzip',
      observe: otlp(({ compression }) => compression),
      code: { compression: 'none' },
      expected: ['gzip', 'none'],
    },
    {
      variable: `${prefix}TIMEOUT`,
      value: '5',
      observe: otlp(({ timeoutMillis }) => timeoutMillis),
      code: { timeoutMillis: 7 },
      expected: [5, 7],
    },
    {
      variable: `${prefix}CERTIFICATE`,
      value: 'ca.pem',
      observe: withFiles('ca'),
      code: { tls: { ca: 'code' } },
      expected: ['ca.pem', 'code'],
    },
    {
      variable: `${prefix}CLIENT_CERTIFICATE`,
      value: 'cert.pem',
      otherVariables: { [`${prefix}CLIENT_KEY`]: 'key.pem' },
      observe: withFiles('cert'),
      code: { tls: { cert: 'code', key: 'code' } },
      expected: ['cert.pem', 'code'],
    },
    {
      variable: `${prefix}CLIENT_KEY`,
      value: 'key.pem',
      otherVariables: { [`${prefix}CLIENT_CERTIFICATE`]: 'cert.pem' },
      observe: withFiles('key'),
      code: { tls: { cert: 'code', key: 'code' } },
      expected: ['key.pem', 'code'],
    },
  ]),
  { variable: 'SLUICE_LEVEL', value: 'error', observe: level, code: { level: 'debug' }, expected: ['error', 'debug'] },
  { variable: 'LOG_LEVEL', value: 'error', observe: level, code: { level: 'debug' }, expected: ['error', 'debug'] },
  {
    variable: 'AWS_LAMBDA_LOG_LEVEL',
    value: 'error',
    otherVariables: { SLUICE_PROFILE: 'lambda' },
    observe: level,
    code: { level: 'debug' },
    expected: ['error', 'debug'],
  },
  {
    variable: 'SLUICE_PROFILE',
    value: 'lambda',
    otherVariables: { AWS_LAMBDA_LOG_LEVEL: 'error' },
    observe: level,
    code: { profile: 'service' },
    expected: ['error', 'info'],
  },
  {
    variable: 'SLUICE_FORMAT',
    value: 'otlpJson',
    observe: encodingName,
    code: { format: 'json' },
    expected: [lineEncoding({ format: 'otlpJson' }, undefined, {}).key, lineEncoding({}, undefined, {}).key],
  },
  {
    variable: 'SLUICE_LAYOUT',
    value: 'pino',
    observe: encodingName,
    code: { layout: 'gcp' },
    expected: [lineEncoding({ layout: 'pino' }, undefined, {}).key, lineEncoding({ layout: 'gcp' }, undefined, {}).key],
  },
]

/** Runs a function with only these OpenTelemetry and sluice variables. Values that name a file become its path. */
function inEnvironment<T>(variables: Readonly<Record<string, string>>, run: () => T): T {
  for (const name of Object.keys(process.env))
    if (/^(OTEL|SLUICE|AWS)_|^LOG_LEVEL$/.test(name)) delete process.env[name]
  for (const [name, value] of Object.entries(variables)) {
    process.env[name] = value.endsWith('.pem') ? fileWith(value) : value
  }
  try {
    return run()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, saved)
  }
}

/** Creates a file that contains its own name, and returns its path. */
function fileWith(name: string): string {
  const path = directory.path(name)
  writeFileSync(path, name)
  return path
}

// Requirements: ENV6
describe('precedence of options over environment variables', () => {
  test.each(settings)(
    '$variable has an effect, and the equivalent option overrides it',
    ({ variable, value, otherVariables = {}, observe, code, expected }) => {
      const [fromEnvironment, fromCode] = expected
      expect(inEnvironment({ ...otherVariables, [variable]: value }, () => observe({}))).toEqual(fromEnvironment)
      expect(inEnvironment(otherVariables, () => observe(code))).toEqual(fromCode)
      expect(inEnvironment({ ...otherVariables, [variable]: value }, () => observe(code))).toEqual(fromCode)
      expect(inEnvironment(otherVariables, () => observe({}))).not.toEqual(fromEnvironment)
    },
  )

  // Requirements: ENV1
  test.each(settings)('$variable has no effect when it is empty', ({ variable, otherVariables = {}, observe }) => {
    const unset = inEnvironment(otherVariables, () => observe({}))
    for (const value of ['', ' ']) {
      expect(inEnvironment({ ...otherVariables, [variable]: value }, () => observe({}))).toEqual(unset)
    }
  })

  const batching = {
    OTEL_BLRP_SCHEDULE_DELAY: ['scheduledDelayMillis', 11],
    OTEL_BLRP_EXPORT_TIMEOUT: ['exportTimeoutMillis', 12],
    OTEL_BLRP_MAX_QUEUE_SIZE: ['maxQueueSize', 700],
    OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: ['maxExportBatchSize', 13],
  } as const

  test.each(Object.entries(batching))(
    '%s does not change an exporter that is created in code with the equivalent option',
    (variable, [option, value]) => {
      const observed = () => {
        const { delivery, schedule } = otlpExporter({ [option]: value })
        return { ...delivery, scheduledDelayMillis: (schedule as { delayMillis: number }).delayMillis }[option]
      }
      expect(inEnvironment({ [variable]: '99' }, observed)).toBe(value)
      expect(inEnvironment({}, observed)).toBe(value)
    },
  )

  test('OTEL_LOGS_EXPORTER and OTEL_SDK_DISABLED affect only a provider that is created from the environment', () => {
    const nothing: Record<string, string>[] = [{ OTEL_LOGS_EXPORTER: 'none' }, { OTEL_SDK_DISABLED: 'true' }]
    for (const variables of nothing) {
      expect(inEnvironment(variables, () => providerFromEnvironment(() => {}))).toBeUndefined()
      const exporter = new AcceptingExporter({ schedule: 'sync' })
      inEnvironment(variables, () =>
        createLoggerProvider({ exporter, handleExit: false }).getLogger('a').emit({ body: 'm' }),
      )
      expect(exporter.accepted).toHaveLength(1)
    }
  })

  test('OTEL_NODE_RESOURCE_DETECTORS does not affect a provider in code, unlike the detectors option', () => {
    const host = resourceOf('host.name')
    const variables = { OTEL_NODE_RESOURCE_DETECTORS: 'host' }
    expect(inEnvironment(variables, () => host({}))).toBeUndefined()
    const detectors = [{ detect: () => ({ attributes: { 'host.name': 'code' } }) }]
    expect(inEnvironment(variables, () => host({ detectors }))).toBe('code')
  })

  test('this file tests every environment variable in the OpenTelemetry requirement tables', () => {
    interface Table {
      readonly rows: readonly { readonly id: string; readonly text: string; readonly deviation?: string }[]
    }
    const path = new URL('../../../docs/reference/opentelemetry.json', import.meta.url)
    const rows = (JSON.parse(readFileSync(path, 'utf8')) as Table[]).flatMap((table) => table.rows)
    const named = rows
      .filter(({ id, deviation }) => id.startsWith('ENV') && deviation === undefined)
      .flatMap(({ text }) => text.match(/\bOTEL_[A-Z_]*[A-Z]\b(?!_)/g) ?? [])
    // Tests of ENV10 check the first. The next two name a file, and the others affect only setup from the environment.
    const others = [
      'OTEL_LOG_LEVEL',
      'OTEL_CONFIG_FILE',
      'OTEL_EXPERIMENTAL_CONFIG_FILE',
      'OTEL_LOGS_EXPORTER',
      'OTEL_SDK_DISABLED',
      'OTEL_NODE_RESOURCE_DETECTORS',
      'OTEL_NODE_EXPERIMENTAL_SDK_METRICS',
    ]
    const known = new Set([...settings.map(({ variable }) => variable), ...Object.keys(batching), ...others])
    expect(named.filter((name) => name !== 'OTEL_BLRP' && !known.has(name))).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })
})
