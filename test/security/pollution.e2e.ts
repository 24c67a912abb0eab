import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

const program = fileURLToPath(new URL('pollution/program.cjs', import.meta.url))
const dist = fileURLToPath(new URL('../../dist', import.meta.url))

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

/** The properties to set on a prototype, when to set them, and the build to test. */
interface Plan {
  readonly format: 'esm' | 'cjs'
  readonly when: 'before' | 'after' | 'never'
  readonly keys: readonly string[]
  readonly value: 'text' | 'number' | 'flag' | 'no' | 'function' | 'object'
  readonly on?: 'object' | 'array' | 'error' | 'string'
}

interface Outcome {
  readonly stdout: string
  readonly stderr: string
  /** The results of the program, by name. */
  readonly seen: Readonly<Record<string, unknown>>
}

function run(plan: Plan): Promise<Outcome> {
  const child = spawn(process.execPath, [program, JSON.stringify({ dist, file: directory.path('app.log'), ...plan })], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  const texts = ['', '', '', '']
  for (const at of [1, 2, 3]) child.stdio[at]!.on('data', (chunk: Buffer) => (texts[at] += chunk.toString('latin1')))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code !== 0) return reject(new Error(`ended with ${code}: ${texts[2]}`))
      // The port differs in each run.
      const results = texts[3]!.replaceAll(/127\.0\.0\.1:\d+/g, 'host')
      resolve({ stdout: texts[1]!, stderr: texts[2]!, seen: JSON.parse(results) as Outcome['seen'] })
    })
  })
}

/** Every name that this package reads from its own objects or from objects of the caller. */
const names =
  `name version level levels types attributes enrich handler handedOn loan messagePrefix serializers redact limits resource traceContext
  traceBased provider exporter handleExit handleSignals exitTimeoutMillis clock onDiagnostic meterProvider maxQueueSize
  maxQueueBytes maxExportBatchSize scheduledDelayMillis exportTimeoutMillis onFull format layout write sharedPipe
  maxRecords mkdir mode fsync rotate reopenOn size interval keep compress windowBytes restart drainMillis writerFile
  directory maxBytes maxAgeMillis supportsPolling url protocol compression timeoutMillis headers tls agent retry maxRequestBytes
  initialDelayMillis maxDelayMillis maxElapsedMillis base keys time constants paths censor remove patterns pattern project delivery createProviderSink wrapDelivery createDefaultExporter expression find anchors least longest numbers depth
  items stringLength recordBytes stackFrames context message err cause errors stack code body severityNumber
  severityText exception eventName timestamp observedTimestamp exportSync start flush shutdown keepAlive batchBytes
  destination component schedule delivery status accepted reason refused maybeDuplicated retryAfterMillis records
  text toJSON enumerable configurable type bare surplus inert step item cache covered replace constant extra args
  literal span exact bound enriched binary key options processors detectors resourceTimeoutMillis loggers
  defaultLogger enabled minimumSeverity SLUICE_LEVEL LOG_LEVEL SLUICE_FORMAT NO_COLOR FORCE_COLOR OTEL_SERVICE_NAME
  OTEL_EXPORTER_OTLP_HEADERS OTEL_RESOURCE_ATTRIBUTES OTEL_ATTRIBUTE_COUNT_LIMIT`.split(/\s+/)

// Fault rows: 31
describe('output and configuration with polluted prototypes', () => {
  let clean: Outcome
  beforeAll(async () => {
    clean = await run({ format: 'esm', when: 'never', keys: [], value: 'text' })
    // Check that the baseline contains the results to compare.
    expect(clean.stdout.split('\n')).toHaveLength(13)
    expect(clean.seen).toMatchObject({ problems: [], sent: { ok: true }, exported: { code: 0 } })
    expect(clean.seen['requests']).toHaveLength(1)
    expect(JSON.stringify(clean.seen)).not.toContain('hidden')
  })

  test.each<[Plan['format'], 'before' | 'after', Plan['value']]>([
    ['esm', 'before', 'text'],
    ['esm', 'before', 'number'],
    ['esm', 'before', 'flag'],
    ['esm', 'before', 'no'],
    ['esm', 'before', 'function'],
    ['esm', 'before', 'object'],
    ['cjs', 'before', 'text'],
    ['cjs', 'before', 'function'],
    ['cjs', 'before', 'object'],
    ['esm', 'after', 'text'],
    ['esm', 'after', 'function'],
    ['cjs', 'after', 'object'],
  ])(
    'output and configuration are unchanged with all names on Object.prototype (%s, set %s loading, as %s)',
    async (format, when, value) => {
      expect(await run({ format, when, value, keys: names })).toEqual(clean)
    },
  )

  // `path` and `encoding` are omitted because Node cannot load modules with them.
  test.each<[Plan['format'], 'before' | 'after', string]>([
    ['esm', 'before', 'get'],
    ['esm', 'before', 'set'],
    ['esm', 'before', 'value'],
    ['esm', 'before', 'writable'],
    ['cjs', 'before', 'get'],
    ['cjs', 'before', 'set'],
    ['cjs', 'before', 'value'],
    ['esm', 'before', 'then'],
    ['esm', 'before', '0'],
  ])(
    'output and configuration are unchanged with one name on Object.prototype (%s, set %s loading: %s)',
    async (format, when, key) => {
      expect(await run({ format, when, value: 'text', keys: [key] })).toEqual(clean)
    },
  )

  test('only connections fail, in Node itself, with `fd` on Object.prototype', async () => {
    const { seen, ...output } = await run({ format: 'esm', when: 'after', value: 'text', keys: ['fd'] })
    const { sent: _, requests: __, bodies: ___, problems: ____, ...others } = clean.seen
    expect(output).toEqual({ stdout: clean.stdout, stderr: clean.stderr })
    expect(seen).toMatchObject(others)
  })

  test.each(['array', 'error', 'string'] as const)(
    'output and configuration are unchanged with all names on the prototype of %s',
    async (on) => {
      const native = { array: Array.prototype, error: new Error(), string: String.prototype }[on]
      // A `cause` on Error.prototype is the cause of every error.
      const keys = names.filter((name) => !(name in native) && name !== 'cause')
      expect(await run({ format: 'esm', when: 'before', value: 'text', keys, on })).toEqual(clean)
    },
  )
})
