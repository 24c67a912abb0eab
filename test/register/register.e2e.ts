import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
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
  for (const logger of loggers) logger.emit({ severityNumber: 13, body: 'emitted', attributes: { a: 1, b: 'xxxx' } })
  console.error(loggers.map((logger) => logger.enabled()).join())
`
const imported = ['--import', 'sluice/register']
const required = ['--require', 'sluice/register']

const linesOf = (stdout: string): any[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)

/** Runs the emitter with a value of `OTEL_LOGS_EXPORTER`. */
function runEmitter(value: string, more: Record<string, string> = {}): ReturnType<Program['run']> {
  return program.run(imported, 'emitter.mjs', emitter, { env: { OTEL_LOGS_EXPORTER: value, ...more } })
}

/** Returns a program that emits 2,000 records and then runs `end`. */
const burst = (end: string): string => `
  import { logs } from '@opentelemetry/api'
  const logger = logs.getLogger('a')
  for (let i = 0; i < 2000; i++) logger.emit({ body: 'record ' + i })
  ${end}`

describe.each([
  ['--import', imported],
  ['--require', required],
])('node %s sluice/register', (_, flags) => {
  test('sluice/register writes records of both API packages with the exporter of OTEL_LOGS_EXPORTER', async () => {
    const env = { OTEL_LOGS_EXPORTER: 'console' }
    const { code, stdout, stderr } = await program.run(flags, 'emitter.mjs', emitter, { env })
    expect([code, stderr]).toEqual([0, 'true,true\n'])
    expect(linesOf(stdout).map((line) => [line['otel.scope.name'], line.level, line.message])).toEqual([
      ['new', 'warn', 'emitted'],
      ['old', 'warn', 'emitted'],
    ])
  })

  // Requirements: ENV8, ENV9
  test('sluice/register registers no provider with OTEL_SDK_DISABLED=True or OTEL_LOGS_EXPORTER=none', async () => {
    const environments: Record<string, string>[] = [{ OTEL_SDK_DISABLED: 'True' }, { OTEL_LOGS_EXPORTER: 'none' }]
    for (const env of environments) {
      const { code, stdout, stderr } = await program.run(flags, 'emitter.mjs', emitter, { env })
      expect([code, stdout, stderr]).toEqual([0, '', 'false,false\n'])
    }
  })
})

describe('OTEL_LOGS_EXPORTER', () => {
  // Requirements: FIL3, ENV9
  test('the value otlp/stdout selects the OpenTelemetry File Exporter on stdout', async () => {
    const { stdout } = await runEmitter('otlp/stdout')
    const records = linesOf(stdout).map((line) => line.resourceLogs[0].scopeLogs[0].logRecords[0])
    expect(records.map(({ body, severityNumber }) => [body, severityNumber])).toEqual([
      [{ stringValue: 'emitted' }, 13],
      [{ stringValue: 'emitted' }, 13],
    ])
  })

  // Requirements: ENV4, ENV9
  test('OTEL_LOGS_EXPORTER accepts a list and ignores duplicate values', async () => {
    const { stdout, stderr } = await runEmitter(' console , OTLP/stdout,console ')
    expect(linesOf(stdout).map((line) => 'resourceLogs' in line)).toEqual([false, true, false, true])
    expect(stderr).toBe('true,true\n')
  })

  test('SLUICE_FORMAT=pretty makes the console exporter write pretty lines when stdout is not a terminal', async () => {
    const { stdout } = await runEmitter('console', { SLUICE_FORMAT: 'pretty', NO_COLOR: '1' })
    expect(stdout).toMatch(/ WARN {2}\[new\] emitted {2}a=1 b=xxxx\n/)
  })

  // Requirements: ENV4
  test.each(['logging', 'console,zipkin', 'none,console'])(
    'a list of %j is reported as invalid, and its valid exporters are used',
    async (value) => {
      const { code, stdout, stderr } = await runEmitter(value, {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
        OTEL_EXPORTER_OTLP_TIMEOUT: '1',
      })
      expect(stderr).toMatch(/^sluice: SLUICE_ENV_INVALID: OTEL_LOGS_EXPORTER must be .*\n/)
      expect([code, linesOf(stdout).length]).toEqual([0, value.includes('console') ? 2 : 0])
    },
  )
})

// Requirements: ERR1
describe('OTEL_SDK_DISABLED never causes an error', () => {
  // Requirements: ENV2
  test.each(['1', 'yes', 'on', 'truee', 'false', 'FALSE'])(
    'a flag of %j is false, and is reported unless it is the word false',
    async (value) => {
      const env = { OTEL_SDK_DISABLED: value, OTEL_LOGS_EXPORTER: 'console' }
      const { stdout, stderr } = await program.run(imported, 'emitter.mjs', emitter, { env })
      expect(linesOf(stdout)).toHaveLength(2)
      const isReported = stderr.startsWith('sluice: SLUICE_ENV_INVALID: OTEL_SDK_DISABLED must be true or false')
      expect(isReported).toBe(value.toLowerCase() !== 'false')
    },
  )

  // Requirements: ENV2
  test.each(['true', 'True', 'TRUE', 'tRuE'])('a flag of %j is true', async (value) => {
    const env = { OTEL_SDK_DISABLED: value, OTEL_LOGS_EXPORTER: 'console' }
    const { stdout, stderr } = await program.run(imported, 'emitter.mjs', emitter, { env })
    expect([stdout, stderr]).toEqual(['', 'false,false\n'])
  })
})

// Requirements: LIM5, RES1, ENV11, ENV14, ENV15
test('environment variables set the limits and the resource', async () => {
  const env = {
    OTEL_LOGS_EXPORTER: 'otlp/stdout',
    OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT: '2',
    OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '3',
    OTEL_ATTRIBUTE_COUNT_LIMIT: '2',
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test',
  }
  const text = emitter.replace('a: 1', 'a: 1, c: true').replace('b:', "bb: 'yyyy', b:")
  const { stdout, stderr } = await program.run(imported, 'emitter.mjs', text, { env })
  const [{ resource, scopeLogs }] = linesOf(stdout)[0].resourceLogs
  expect(scopeLogs[0].logRecords[0]).toMatchObject({
    attributes: [
      { key: 'a', value: { intValue: '1' } },
      { key: 'c', value: { boolValue: true } },
    ],
    droppedAttributesCount: 2,
  })
  expect(resource.attributes).toEqual(
    expect.arrayContaining([
      { key: 'service.name', value: { stringValue: 'shop' } },
      { key: 'deployment.environment.name', value: { stringValue: 'test' } },
    ]),
  )
  expect(stderr).toContain('SLUICE_ATTRIBUTES_DROPPED')
  const long = await program.run(imported, 'emitter.mjs', emitter, { env })
  expect(linesOf(long.stdout)[0].resourceLogs[0].scopeLogs[0].logRecords[0].attributes[1].value.stringValue).toBe('xx')
})

test('sluice/register exports one registered provider that its ESM and CommonJS copies share', async () => {
  const text = `
    import { createRequire } from 'node:module'
    import { logs } from '@opentelemetry/api'
    import { provider } from 'sluice/register'
    const required = createRequire(import.meta.url)('sluice/register')
    logs.getLogger('a').emit({ body: 'x' })
    const { ok } = await provider.forceFlush()
    console.error(JSON.stringify([provider === required.provider, logs.getLoggerProvider() === provider, ok, provider.stats().written]))`
  const env = { OTEL_LOGS_EXPORTER: 'console' }
  const { stdout, stderr } = await program.run([...required, ...imported], 'copies.mjs', text, { env })
  expect([JSON.parse(stderr), linesOf(stdout).length]).toEqual([[true, true, true, 1], 1])
})

describe('the exit guard of sluice/register', () => {
  const env = { OTEL_LOGS_EXPORTER: 'otlp/stdout' }

  test.each([
    // Fault rows: 15
    ['process.exit', 'process.exit(3)', [3, null]],
    // Fault rows: 16
    ['an uncaught exception', 'throw new Error("end")', [1, null]],
    // Fault rows: 17
    ['an unhandled signal', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)', [null, 'SIGTERM']],
  ])('no record is lost when the process ends by %s', async (_, end, expected) => {
    const { code, signal, stdout } = await program.run(imported, 'burst.mjs', burst(end), { env })
    expect([code, signal]).toEqual(expected)
    expect(linesOf(stdout)).toHaveLength(2_000)
  })
})

test('a worker thread has its own provider', async () => {
  const text = `
    import { Worker, isMainThread } from 'node:worker_threads'
    import { logs } from '@opentelemetry/api'
    logs.getLogger(isMainThread ? 'main' : 'worker').emit({ body: 'x' })
    if (isMainThread) new Worker(new URL(import.meta.url))`
  const env = { OTEL_LOGS_EXPORTER: 'console', NODE_OPTIONS: '--import sluice/register' }
  const { stdout, stderr } = await program.run([], 'worker.mjs', text, { env })
  const names = linesOf(stdout).map((line) => String(line['otel.scope.name']))
  expect([new Set(names), names.length, stderr]).toEqual([new Set(['main', 'worker']), 2, ''])
})

/** Prints to stdout and stderr, and exits in the same turn of the event loop. */
const printer = `
  console.group('group')
  console.log('%s', 1, { a: 1 })
  console.warn('warned')
  process.exit()`

test('SLUICE_CONSOLE=passthrough leaves the console output unchanged', async () => {
  const plain = await program.run(imported, 'printer.mjs', printer)
  for (const flags of [imported, required]) {
    const { code, stdout, stderr } = await program.run(flags, 'printer.mjs', printer, {
      env: { SLUICE_CONSOLE: 'passthrough' },
    })
    expect([code, stdout, stderr]).toEqual([0, plain.stdout, plain.stderr])
  }
})

test('SLUICE_CONSOLE=records writes console output as records of the provider or default logger', async () => {
  const lines = [
    ['info', 'group'],
    ['info', '  1 { a: 1 }'],
    ['warn', '  warned'],
  ]
  for (const value of ['none', 'console']) {
    const env = { SLUICE_CONSOLE: 'records', OTEL_LOGS_EXPORTER: value }
    const { stdout, stderr } = await program.run(imported, 'printer.mjs', printer, { env })
    expect([linesOf(stdout).map(({ level, message }) => [level, message]), stderr]).toEqual([lines, ''])
    expect(linesOf(stdout)[0]['otel.scope.name']).toBe(value === 'none' ? undefined : 'console')
  }
})

test('the ESM and CommonJS copies of sluice/register share one console capture', async () => {
  const text = `
    import { createRequire } from 'node:module'
    import { capture } from 'sluice/register'
    const other = createRequire(import.meta.url)('sluice/register')
    console.log('once')
    await capture.release()
    console.log(other.capture === capture)`
  const { stdout, stderr } = await program.run([], 'both.mjs', text, { env: { SLUICE_CONSOLE: 'passthrough' } })
  expect([stdout, stderr]).toEqual(['once\ntrue\n', ''])
})

test('an invalid value of SLUICE_CONSOLE is ignored with a warning', async () => {
  const { code, stdout, stderr } = await program.run(imported, 'printer.mjs', printer, {
    env: { SLUICE_CONSOLE: 'yes' },
  })
  expect([code, stdout]).toEqual([0, 'group\n  1 { a: 1 }\n'])
  expect(stderr).toContain('SLUICE_ENV_INVALID: SLUICE_CONSOLE must be one of passthrough, records')
})

/** Returns the attributes of the resource as the File Exporter writes them. */
async function resourceWith(env: Record<string, string>) {
  const { stdout, stderr } = await runEmitter('otlp/stdout', env)
  const { attributes } = linesOf(stdout)[0].resourceLogs[0].resource
  const entries = attributes.map(({ key, value }: any) => [key, Object.values(value)[0]])
  return { attributes: Object.fromEntries(entries) as Record<string, unknown>, stderr }
}

// Requirements: ENV25
describe('resource detectors of OTEL_NODE_RESOURCE_DETECTORS', () => {
  const attributesOf: Record<string, string[]> = {
    host: ['host.name', 'host.arch'],
    os: ['os.type', 'os.version'],
    process: ['process.pid', 'process.command', 'process.runtime.version'],
    serviceinstance: ['service.instance.id'],
  }

  test.each([
    ['', ['host', 'os', 'process', 'serviceinstance']],
    ['all', ['host', 'os', 'process', 'serviceinstance']],
    ['none', []],
    ['env', []],
    ['os, HOST', ['host', 'os']],
    ['env,process', ['process']],
    ['service', ['serviceinstance']],
    ['none,host', []],
  ])('a value of %j selects the expected resource detectors', async (value, expected) => {
    const { attributes, stderr } = await resourceWith({ OTEL_NODE_RESOURCE_DETECTORS: value })
    const found = Object.keys(attributesOf).filter((name) => attributesOf[name]!.every((key) => key in attributes))
    expect([found.toSorted(), stderr]).toEqual([expected, 'true,true\n'])
    const none = Object.keys(attributesOf).filter((name) => !attributesOf[name]!.some((key) => key in attributes))
    expect(none.length + found.length).toBe(4)
    expect(Object.keys(attributes)).not.toContain('process.command_args')
  })

  test('an unknown detector name is reported, and the other detectors are used', async () => {
    const { attributes, stderr } = await resourceWith({ OTEL_NODE_RESOURCE_DETECTORS: 'os,container' })
    expect(Object.keys(attributes)).toContain('os.type')
    expect(stderr).toMatch(/^sluice: SLUICE_ENV_INVALID: OTEL_NODE_RESOURCE_DETECTORS must be all, none, or a list of/)
  })

  test('OTEL_RESOURCE_ATTRIBUTES has precedence over the detectors, and applies with every value', async () => {
    for (const value of ['all', 'none']) {
      const env = { OTEL_NODE_RESOURCE_DETECTORS: value, OTEL_RESOURCE_ATTRIBUTES: 'host.name=mine' }
      expect((await resourceWith(env)).attributes).toMatchObject({ 'host.name': 'mine' })
    }
  })

  test('the resource has the attributes that the official detectors find, except process.command_args', async () => {
    const text = `
      import { logs } from '@opentelemetry/api'
      import { detectResources, hostDetector, osDetector, processDetector } from ${JSON.stringify(import.meta.resolve('@opentelemetry/resources'))}
      logs.getLogger('a').emit({ body: 'x' })
      const resource = detectResources({ detectors: [hostDetector, osDetector, processDetector] })
      await resource.waitForAsyncAttributes?.()
      console.error(JSON.stringify(resource.attributes))`
    const env = { OTEL_LOGS_EXPORTER: 'otlp/stdout' }
    const { stdout, stderr } = await program.run(imported, 'official.mjs', text, { env })
    const { 'process.command_args': _, ...official } = JSON.parse(stderr)
    const { attributes } = linesOf(stdout)[0].resourceLogs[0].resource
    const entries = attributes.map(({ key, value }: any) => [key, value.stringValue ?? Number(value.intValue)])
    expect(Object.fromEntries(entries)).toMatchObject(official)
  })
})

// Requirements: ENV26, MET9
test('OTEL_NODE_EXPERIMENTAL_SDK_METRICS enables SDK metrics only when it is true', async () => {
  const text = `
    import { logs, metrics } from '@opentelemetry/api'
    import { provider } from 'sluice/register'
    const names = []
    const instrument = { addCallback() {}, record() {} }
    const create = (name) => (names.push(name), instrument)
    const meter = { createObservableCounter: create, createObservableUpDownCounter: create, createHistogram: create }
    metrics.setGlobalMeterProvider({ getMeter: () => meter })
    logs.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    console.error(names.includes('otel.sdk.log.created'))`
  for (const [value, expected] of [
    ['true', true],
    ['TRUE', true],
    ['false', false],
    ['', false],
  ] as const) {
    const env = { OTEL_LOGS_EXPORTER: 'otlp/stdout', OTEL_NODE_EXPERIMENTAL_SDK_METRICS: value }
    const { stderr } = await program.run(imported, 'metrics.mjs', text, { env })
    expect([value, stderr]).toEqual([value, `${expected}\n`])
  }
})
