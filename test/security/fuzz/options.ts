import * as fc from 'fast-check'
import { inspect } from 'node:util'
import { createLogger } from '../../../src/create/create-logger.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { pretty } from '../../../src/exporters/pretty-encoding.ts'
import { fdExporter } from '../../../src/exporters/fd/fd-exporter.ts'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { otlpExporterIn } from '../../../src/exporters/otlp/otlp-exporter.ts'
import { retry } from '../../../src/exporters/retry/retry.ts'
import { defineEvent } from '../../../src/logger/events.ts'
import { EncodingLogRecordExporter } from '../../../src/otel/sdk/encoding-exporter.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { keys, nastyText } from '../../support/values/arbitraries.ts'
import { canary, expectNoCanary } from './canary.ts'
import { target, type Target } from './target.ts'
import { thrower, traps } from './traps.ts'
import { make, plans, secretPlans, type Plan } from './values.ts'

/** A value of an option. */
type Given =
  | { readonly is: 'plan'; readonly plan: Plan }
  | { readonly is: 'word'; readonly word: string }
  | { readonly is: 'number'; readonly number: number }
  | { readonly is: 'flag'; readonly flag: boolean }
  | { readonly is: 'bag'; readonly bag: Bag }
  | { readonly is: 'function'; readonly does: 'nothing' | 'throws' | 'returns the secret' }
  | { readonly is: 'list'; readonly items: readonly Given[] }
  | { readonly is: 'exporter' | 'nothing' }

interface Bag {
  readonly as: 'plain' | 'bare' | 'getters' | 'throwing' | 'proxy' | 'throwing proxy' | 'second read throws'
  readonly members: readonly (readonly [string, Given])[]
}

const names =
  `baggage name version level levels types attributes enrich handler messagePrefix serializers redact limits resource traceContext
  traceBased provider exporter handleExit handleSignals exitTimeoutMillis clock onDiagnostic meterProvider maxQueueSize maxQueueBytes
  maxExportBatchSize scheduledDelayMillis exportTimeoutMillis onFull format layout write sharedPipe maxRecords url protocol
  compression timeoutMillis headers tls agent retry maxRequestBytes initialDelayMillis maxDelayMillis maxElapsedMillis base keys
  time constants paths censor remove numbers depth items stringLength recordBytes stackFrames message processors detectors
  resourceTimeoutMillis loggers defaultLogger enabled minimumSeverity ca cert key passphrase servername authorization context
  pretty multiline hide only levelLabels errorFrames width colors
  __proto__ constructor toString serialize patterns`.split(/\s+/)

const words = fc.constantFrom(
  canary,
  `${canary}\n`,
  `https://me:${canary}@host:1/`,
  `https://${canary}@host/`,
  `file:///${canary}`,
  `http://host/\r\nx: ${canary}`,
  'info',
  'warn',
  'json',
  'otel',
  'block',
  'http/json',
  'a.b[',
  '**',
  '["x',
  'x'.repeat(100_000),
)

const { given } = fc.letrec<{ given: Given; bag: Bag }>((tie) => ({
  given: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('word' as const), word: fc.oneof(words, nastyText) }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('plan' as const), plan: fc.oneof(plans, secretPlans) }) },
    fc.record({ is: fc.constant('number' as const), number: fc.oneof(fc.integer(), fc.double(), fc.nat(50)) }),
    fc.record({ is: fc.constant('flag' as const), flag: fc.boolean() }),
    fc.record({
      is: fc.constant('function' as const),
      does: fc.constantFrom('nothing' as const, 'throws' as const, 'returns the secret' as const),
    }),
    fc.record({ is: fc.constantFrom('exporter' as const, 'nothing' as const) }),
    fc.record({ is: fc.constant('list' as const), items: fc.array(tie('given'), { maxLength: 3 }) }),
    { weight: 4, arbitrary: fc.record({ is: fc.constant('bag' as const), bag: tie('bag') }) },
  ),
  bag: fc.record({
    as: fc.constantFrom(
      'plain' as const,
      'plain' as const,
      'bare' as const,
      'getters' as const,
      'throwing' as const,
      'proxy' as const,
      'throwing proxy' as const,
      'second read throws' as const,
    ),
    members: fc.uniqueArray(
      fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, keys), tie('given')),
      {
        maxLength: 6,
        selector: ([name]) => name,
      },
    ),
  }),
}))

/** Functions that accept options. Each uses the created object once, and closes it. */
const entries = {
  createLogger: async (options: object) => {
    const log = createLogger(withDefault(options))
    try {
      log.info('m', { a: 1 })
      log.flushSync(0)
      log.stats()
    } finally {
      await log.shutdown({ timeoutMillis: 0 })
    }
  },
  'createLogger with an exporter': async (options: object) => {
    const log = createLogger(withMember(options, 'exporter', memoryExporter()))
    log.info('m', { a: 1 })
    await log.shutdown({ timeoutMillis: 0 })
  },
  child: async (options: never) => {
    const log = createLogger({ exporter: memoryExporter(), handleExit: false })
    try {
      log.child({ a: 1 }, options).info('m')
    } finally {
      await log.shutdown()
    }
  },
  level: async (options: never) => {
    const log = createLogger({ exporter: memoryExporter(), handleExit: false })
    log.isLevelEnabled(options)
    try {
      log.level = options
    } finally {
      await log.shutdown()
    }
  },
  flush: async (options: never) => {
    const log = createLogger({ exporter: memoryExporter(), handleExit: false })
    log.info('m')
    log.flushSync(options)
    await log.flush(options)
    await log.shutdown(options)
  },
  fdExporter: async (options: object) => void fdExporter(withMember(options, 'fd', 1_000_000)),
  memoryExporter: async (options: never) => void memoryExporter(options),
  otlpExporter: async (options: never) => {
    const exporter = otlpExporterIn({}, options)
    expectNoCanary(inspect([exporter.name, exporter.component]), 'the name of an exporter')
    await exporter.shutdown!()
  },
  retry: async (options: never) => void retry(memoryExporter(), options),
  jsonLines: async (options: never) => void jsonLines(options),
  pretty: async (options: never) => void pretty(options),
  createLoggerProvider: async (options: object) => {
    const provider = createLoggerProvider(withMember(options, 'exporter', memoryExporter()))
    provider.getLogger('x').emit({ body: 'm' })
    await provider.shutdown({ timeoutMillis: 0 })
  },
  configure: async (options: never) => {
    const provider = createLoggerProvider({ exporter: memoryExporter(), handleExit: false, onDiagnostic: () => {} })
    try {
      provider.configure(options)
      provider.getLogger('x').emit({ body: 'm' })
    } finally {
      await provider.shutdown()
    }
  },
  getLogger: async (options: never) => {
    const provider = createLoggerProvider({ exporter: memoryExporter(), handleExit: false, onDiagnostic: () => {} })
    provider.getLogger(options, options, options).emit({ body: 'm' })
    await provider.shutdown(options)
  },
  PipelineLogRecordProcessor: async (options: object) => {
    const processor = new PipelineLogRecordProcessor(withMember(options, 'exporter', memoryExporter()))
    processor.enabled(options)
    await processor.shutdown().catch(() => {})
  },
  EncodingLogRecordExporter: async (options: object) => {
    await new EncodingLogRecordExporter(withMember(options, 'exporter', memoryExporter())).shutdown()
  },
  'an object that is not an exporter': async (options: never) => {
    await createLogger({ exporter: options, handleExit: false, onDiagnostic: () => {} }).shutdown({ timeoutMillis: 0 })
  },
  fromLogRecordExporter: async (options: never) =>
    void fromLogRecordExporter({ export() {}, async shutdown() {} }, options),
  'an object that is not an SDK exporter': async (options: never) => void fromLogRecordExporter(options),
  defineEvent: async (options: never) => void defineEvent('event', options),
  'the name of an event': async (options: never) => void defineEvent(options),
} as const

const input = fc.record({ entry: fc.constantFrom(...(Object.keys(entries) as (keyof typeof entries)[])), given })

/**
 * Every function that accepts options, with arbitrary values: it either works or throws a ConfigurationError whose message is one
 * line without option values, apart from excerpts of level directives.
 */
export const options: Target<unknown> = target('options', input, async ({ entry, given }) => {
  try {
    await entries[entry](value(given) as never)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw new Error(`${entry} threw another error`, { cause: error })
    const { message, problems } = error
    expectNoCanary(inspect(error, { depth: 9 }), 'a ConfigurationError')
    expectNoCanary(JSON.stringify(problems), 'its problems')
    const [line, ...others] = message.split('\n  ')
    const excerpts = problems.flatMap(({ excerpt }) => excerpt?.split('\n') ?? [])
    if (!others.every((other) => excerpts.includes(other)))
      throw new Error(`more than excerpts: ${JSON.stringify(message)}`, { cause: error })
    // oxlint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(line + others.join('')))
      throw new Error(`not one line: ${JSON.stringify(message)}`, { cause: error })
    if (message.length > 20_000) throw new Error(`a message of ${message.length} characters`, { cause: error })
    if (!problems.every(({ code, path }) => /^SLUICE_[A-Z_]+$/.test(code) && typeof path === 'string'))
      throw new Error('a problem without a code or a path', { cause: error })
  }
})

function value(given: Given): unknown {
  switch (given.is) {
    case 'plan':
      return make(given.plan)
    case 'word':
      return given.word
    case 'number':
      return given.number
    case 'flag':
      return given.flag
    case 'list':
      return given.items.map((item) => value(item))
    case 'function':
      return given.does === 'nothing' ? () => {} : given.does === 'throws' ? thrower : () => canary
    case 'exporter':
      return memoryExporter()
    case 'bag':
      return object(given.bag)
    default:
      return null
  }
}

function object({ as, members }: Bag): object {
  const bag: object = as === 'bare' ? (Object.create(null) as object) : {}
  for (const [name, given] of members) {
    const made = value(given)
    let reads = 0
    const get = () => {
      if (as === 'throwing' || (as === 'second read throws' && reads++ > 0)) throw new Error(canary)
      return made
    }
    const isPlain = as === 'plain' || as === 'bare' || as === 'proxy'
    Object.defineProperty(bag, name, { ...(isPlain ? { value: made } : { get }), enumerable: true, configurable: true })
  }
  return as === 'proxy' ? new Proxy(bag, {}) : as === 'throwing proxy' ? new Proxy(bag, traps) : bag
}

/** Adds an exporter, because records would be written to the standard output otherwise. */
function withDefault(given: object): never {
  if (given === undefined) return { exporter: memoryExporter() } as never
  try {
    if (Object.hasOwn(given, 'exporter') && (given as { exporter: unknown }).exporter !== undefined)
      return given as never
  } catch {
    return given as never
  }
  return withMember(given, 'exporter', memoryExporter())
}

/** Adds an option if the options are an object that can be read. */
function withMember(given: object, name: string, own: unknown): never {
  if (given === undefined) return { [name]: own } as never
  try {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given as never
    Object.defineProperty(given, name, { value: own, enumerable: true, configurable: true, writable: true })
  } catch {
    // A proxy can throw.
  }
  return given as never
}
