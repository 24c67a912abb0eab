import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Program } from './program.ts'

let program: Program

beforeAll(() => {
  program = new Program()
})
afterAll(() => program.remove())

/** Emits a record through each line of the API, and prints whether their loggers are enabled. */
const emitter = `
  import { logs } from '@opentelemetry/api'
  import legacy from '@opentelemetry/api-logs'
  const loggers = [logs.getLogger('new'), legacy.logs.getLogger('old')]
  for (const logger of loggers) logger.emit({ severityNumber: 9, body: 'emitted', attributes: { a: 'xxxx', b: 1 } })
  console.error(loggers.map((logger) => logger.enabled()).join())`

const file = `
file_format: "1.0"
log_level: \${LEVEL:-info}
disabled: \${DISABLED:-false}
attribute_limits: { attribute_value_length_limit: 2 }
resource:
  attributes: [{ name: service.name, value: "\${NAME:-shop}" }]
logger_provider:
  processors:
    - batch:
        exporter:
          otlp_file/development:
  logger_configurator/development:
    loggers: [{ name: old, config: { enabled: false } }]
`

const imported = ['--import', 'sluice/register']
const required = ['--require', 'sluice/register']

function run(text: string, env: Record<string, string> = {}, flags: string[] = imported) {
  const variables = { OTEL_CONFIG_FILE: program.write('otel.yaml', text), ...env }
  return program.run(flags, 'emitter.mjs', emitter, { env: variables })
}

interface Resource {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}

function parsed(stdout: string): any[] {
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line).resourceLogs[0])
}

const attributesOf = ({ attributes }: Resource): Record<string, string | undefined> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))

/** Variables that would each change the result if no configuration file were set. */
const others = {
  OTEL_SDK_DISABLED: 'true',
  OTEL_LOGS_EXPORTER: 'none',
  OTEL_SERVICE_NAME: 'other',
  OTEL_RESOURCE_ATTRIBUTES: 'service.version=9',
  OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: '1',
  OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '1',
  OTEL_BLRP_MAX_QUEUE_SIZE: 'wrong',
  OTEL_NODE_RESOURCE_DETECTORS: 'all',
  OTEL_LOG_LEVEL: 'wrong',
}

// Requirements: ENV7
describe('a provider configured by a file ignores the other OpenTelemetry variables', () => {
  // Requirements: FIL3
  test.each([
    ['OTEL_CONFIG_FILE', imported],
    ['OTEL_CONFIG_FILE', required],
    ['OTEL_EXPERIMENTAL_CONFIG_FILE', imported],
  ])('%s with %j configures a provider that writes OTLP/JSON lines to stdout', async (variable, flags) => {
    const path = program.write('otel.yml', file)
    const env = { ...others, OTEL_CONFIG_FILE: '', [variable]: path }
    const { code, stdout, stderr } = await program.run(flags, 'emitter.mjs', emitter, { env })
    expect([code, stderr]).toEqual([0, 'true,false\n'])
    const [{ resource, scopeLogs }, ...more] = parsed(stdout)
    expect(more).toEqual([])
    expect(scopeLogs[0]).toMatchObject({
      scope: { name: 'new' },
      logRecords: [{ attributes: [{ value: { stringValue: 'xx' } }, { value: { intValue: '1' } }] }],
    })
    expect(attributesOf(resource)).toMatchObject({ 'service.name': 'shop' })
    expect(Object.keys(attributesOf(resource))).not.toContain('service.version')
    expect(Object.keys(attributesOf(resource))).not.toContain('host.name')
  })

  test('an environment variable that the file references is substituted', async () => {
    const { stdout } = await run(file, { NAME: 'cart' })
    expect(attributesOf(parsed(stdout)[0].resource)).toMatchObject({ 'service.name': 'cart' })
  })

  // Requirements: ENV8
  test('a file with disabled: true registers no provider', async () => {
    const { code, stdout, stderr } = await run(file, { DISABLED: 'true' })
    expect([code, stdout, stderr]).toEqual([0, '', 'false,false\n'])
  })
})

// Requirements: ENV7, ERR1
describe('an invalid file is reported and the program runs without a provider', () => {
  test.each([
    ['disabled: 1', 'otel.yaml:2:11: disabled must be true or false, not a number'],
    ['disabled: "', 'otel.yaml:3:1: is not valid YAML: Missing closing'],
    ['disabled: ${A-B}', 'otel.yaml:2:11: has an invalid substitution'],
    [
      'disabled: true\nlogger_provider: { processors: [{ batch: { exporter: { otlp_grpc: } } }] }',
      'otlp_grpc is not a supported',
    ],
  ])('a file with %s is reported, and no provider is registered', async (text, expected) => {
    const { code, stdout, stderr } = await run(`file_format: "1.0"\n${text}\n`, { OTEL_LOG_LEVEL: 'none' })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^sluice: SLUICE_REGISTER_FAILED: no LoggerProvider could be created from the environment: /)
    expect(stderr).toContain(expected)
    expect(stderr.split('\n').slice(1)).toEqual(['false,false', ''])
  })

  test('a missing file is reported, and no provider is registered', async () => {
    const { code, stderr } = await run('', { OTEL_CONFIG_FILE: 'missing.yaml' })
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/the file of OTEL_CONFIG_FILE: cannot be read \(ENOENT\).*\nfalse,false\n$/),
    ])
  })
})

test('log_level filters the diagnostics on stderr, so error and fatal suppress warnings', async () => {
  const more = 'tracer_provider: {}\nmeter_provider: {}\n'
  const all = await run(file + more)
  expect(all.stderr.match(/SLUICE_CONFIG_FILE_IGNORED/g)).toHaveLength(1)
  expect(all.stderr).toContain('are ignored: tracer_provider, meter_provider\n')
  for (const LEVEL of ['error', 'fatal']) expect((await run(file + more, { LEVEL })).stderr).toBe('true,false\n')
})

test('createLoggerProvider reads a file, overrides it with options, and throws if the file is invalid', async () => {
  const text = `
    import { createLoggerProvider, ConfigurationError } from 'sluice/otel'
    import { memoryExporter } from 'sluice/exporters'
    const configFile = ${JSON.stringify(program.write('otel.yaml', file))}
    const provider = createLoggerProvider({ configFile, defaultLogger: { minimumSeverity: 'warn' } })
    for (const severityNumber of [9, 13]) provider.getLogger('a').emit({ severityNumber, body: 'x', attributes: { a: 'xxxx' } })
    await provider.shutdown()
    const exporter = memoryExporter()
    const own = createLoggerProvider({ configFile, exporter, limits: { stringLength: 3 } })
    own.getLogger('a').emit({ body: 'y', attributes: { a: 'xxxx' } })
    await own.shutdown()
    console.error(JSON.stringify(exporter.records[0].attributes))
    process.env.DISABLED = 'true'
    const none = createLoggerProvider({ configFile })
    none.getLogger('a').emit({ body: 'z' })
    console.error(none.getLogger('a').enabled(), (await none.forceFlush()).ok, none.stats().written)
    process.env.DISABLED = 'perhaps'
    try { createLoggerProvider({ configFile }) } catch (error) {
      console.error(error instanceof ConfigurationError, error.problems[0].path.endsWith('otel.yaml:4:11'), error.problems[0].code)
    }`
  const { stdout, stderr } = await program.run([], 'provider.mjs', text)
  expect(parsed(stdout).map(({ scopeLogs }) => scopeLogs[0].logRecords[0].severityNumber)).toEqual([13])
  const [record, disabled, wrong] = stderr.split('\n')
  expect(record).toBe('{"a":"xxx"}')
  expect(disabled).toBe('false true 0')
  expect(wrong).toBe('true true SLUICE_CONFIG_FILE_INVALID')
})

describe('the YAML parser', () => {
  const names = `Object.keys(process.getBuiltinModule('module')._cache).filter((path) => path.endsWith('yaml-parser.cjs')).length`

  test.each(['sluice', 'sluice/otel', 'sluice/register'])(
    'the YAML parser is not loaded by %s without a configuration file',
    async (entry) => {
      const text = `await import('${entry}'); console.error(${names})`
      expect((await program.run([], 'loaded.mjs', text, { env: { OTEL_LOGS_EXPORTER: 'none' } })).stderr).toBe('0\n')
    },
  )

  test('the YAML parser is loaded by sluice/register with a configuration file', async () => {
    const text = `await import('sluice/register'); console.error(${names})`
    const env = { OTEL_CONFIG_FILE: program.write('otel.yaml', file) }
    expect((await program.run([], 'loaded.mjs', text, { env })).stderr).toBe('1\n')
  })

  test('the YAML parser is one minified file that begins with its license', () => {
    const dist = fileURLToPath(new URL('../../dist', import.meta.url))
    const text = readFileSync(join(dist, 'yaml-parser.cjs'), 'utf8')
    expect(text).toMatch(/^\/\*! yaml 2\.\d+\.\d+\n\nCopyright Eemeli Aro/)
    expect(text.length).toBeLessThan(100_000)
  })
})
