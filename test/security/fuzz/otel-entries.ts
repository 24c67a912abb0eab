import * as fc from 'fast-check'
import { inspect } from 'node:util'
import { EncodingLogRecordExporter } from '../../../src/otel/sdk/encoding-exporter.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { EmittedLogRecord, OtelExportResult, ReadableLogRecord } from '../../../src/otel/api/types.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { nastyText } from '../../support/values/arbitraries.ts'
import { expectNoCanary } from './canary.ts'
import { expectBalanced } from './expect-balanced.ts'
import { outputs, recordKeeper, type Kept } from './outputs.ts'
import { target, type Target } from './target.ts'
import { make, makeMembers, members, plans, redact, type Plan } from './values.ts'

const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, 9, 24, 25, -1, 1.5, NaN, Infinity, 2 ** 53))
const time = fc.oneof(
  fc.constant(undefined),
  number,
  fc.tuple(number, number),
  nastyText,
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
)
/** undefined if the member is absent. */
const plan = fc.option(plans, { nil: undefined })

const record = fc.record({
  timestamp: time,
  observed: time,
  severityNumber: fc.oneof(fc.constant(undefined), number),
  severityText: fc.oneof(fc.constant(undefined), nastyText),
  body: plan,
  attributes: fc.oneof({ weight: 4, arbitrary: members }, fc.constant(undefined)),
  /** Replaces the attributes. */
  strange: fc.option(plans, { nil: undefined, freq: 8 }),
  eventName: fc.oneof(fc.constant(undefined), nastyText),
  exception: plan,
  spanContext: plan,
  ids: fc.oneof(
    fc.constant(undefined),
    fc.tuple(nastyText, nastyText),
    fc.constant(['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']),
  ),
  /** Replaces the whole record. */
  instead: fc.option(plans, { nil: undefined, freq: 15 }),
})
type RecordPlan = typeof record extends fc.Arbitrary<infer R> ? R : never

const input = fc.record({
  records: fc.array(record, { minLength: 1, maxLength: 3 }),
  scope: nastyText,
  version: fc.option(nastyText, { nil: undefined }),
  schemaUrl: fc.option(nastyText, { nil: undefined }),
  scopeAttributes: fc.option(members, { nil: undefined }),
  resource: fc.option(members, { nil: undefined }),
  way: fc.constantFrom('provider', 'processor', 'exporter', 'foreign'),
  /** The result of a foreign exporter. */
  answer: fc.option(plans, { nil: undefined }),
  output: fc.nat(outputs.length - 1),
  bounded: fc.boolean(),
})
type Input = typeof input extends fc.Arbitrary<infer I> ? I : never

/** Records of OpenTelemetry's APIs and SDKs, through each entry and with each format. */
export const otelEntries: Target<unknown> = target('otel-entries', input, async (given) => {
  const output = outputs[given.output]!
  const keeper = recordKeeper(output.encoding())
  const problems: Diagnostic[] = []
  const onDiagnostic = (problem: Diagnostic) => problems.push(problem)
  const limits = given.bounded ? { limits: { attributes: 3, stringLength: 10, depth: 2, recordBytes: 1_024 } } : {}
  const common = { redact, handleExit: false, onDiagnostic, ...limits }
  switch (given.way) {
    case 'provider': {
      const provider = createLoggerProvider({ exporter: keeper, clock: () => 1_700_000_000_123, ...common })
      const { schemaUrl, scopeAttributes } = given
      const attributes = scopeAttributes === undefined ? undefined : makeMembers(scopeAttributes)
      const logger = provider.getLogger(given.scope, given.version, { schemaUrl, attributes })
      for (const plannedRecord of given.records) {
        logger.enabled(emitted(plannedRecord))
        logger.emit(emitted(plannedRecord))
      }
      await provider.forceFlush()
      expectBalanced(provider.stats())
      expectRecords(given, keeper.kept)
      await provider.shutdown()
      break
    }
    case 'processor': {
      const processor = new PipelineLogRecordProcessor({ exporter: keeper, ...common })
      for (const plannedRecord of given.records) processor.onEmit(readable(plannedRecord, given))
      await processor.forceFlush()
      expectBalanced(processor.stats())
      expectRecords(given, keeper.kept)
      await processor.shutdown()
      break
    }
    case 'exporter': {
      const exporter = new EncodingLogRecordExporter({ exporter: keeper, ...common })
      const answers: OtelExportResult[] = []
      exporter.export(
        given.records.map((plannedRecord) => readable(plannedRecord, given)),
        (answer) => answers.push(answer),
      )
      await exporter.forceFlush()
      const isWhole = given.records.every(({ instead }) => instead === undefined)
      if (answers.length !== 1 || (isWhole && answers[0]!.code !== 0)) throw new Error(`answered ${inspect(answers)}`)
      expectBalanced(exporter.stats())
      expectRecords(given, keeper.kept)
      await exporter.shutdown()
      break
    }
    default:
      await throughForeign(given, common)
  }
  for (const { message } of problems) {
    expectNoCanary(message, 'a problem')
    if (/[\p{Cc}\u2028\u2029]/u.test(message)) throw new Error(`a diagnostic of two lines: ${JSON.stringify(message)}`)
  }
})

/** Passes records to a foreign SDK exporter, which returns any result. */
async function throughForeign(given: Input, common: object): Promise<void> {
  const seen: unknown[] = []
  const foreign = {
    export(records: unknown[], answered: (result: OtelExportResult) => void) {
      seen.push(...records)
      answered((given.answer === undefined ? { code: 0 } : make(given.answer)) as OtelExportResult)
    },
    shutdown: async () => {},
  }
  const exporter = fromLogRecordExporter(foreign, { retry: false })
  const provider = createLoggerProvider({ exporter, ...common })
  for (const plannedRecord of given.records) provider.getLogger(given.scope).emit(emitted(plannedRecord))
  await provider.forceFlush()
  const stats = provider.stats()
  expectBalanced(stats)
  if (seen.length !== stats.emitted) throw new Error(`${seen.length} records of ${stats.emitted}`)
  // Without showHidden: the getters of these records build redacted values.
  expectNoCanary(
    inspect(seen, { depth: 12, getters: true, maxStringLength: Infinity }),
    'the records of a foreign exporter',
  )
  await provider.shutdown()
}

function expectRecords({ records, output, scope, way }: Input, kept: readonly Kept[]): void {
  // A value that is not an SDK record can be lost, and is then counted and reported.
  if (way !== 'provider' && records.some(({ instead }) => instead !== undefined)) return
  if (kept.length !== records.length) throw new Error(`${kept.length} records of ${records.length}`)
  for (const one of kept) {
    try {
      outputs[output]!.read(one, { level: undefined, timestamp: undefined, scope: scope.toWellFormed() })
    } catch (error) {
      throw new Error(`as ${outputs[output]!.name}`, { cause: error })
    }
  }
}

function emitted(plannedRecord: RecordPlan): EmittedLogRecord {
  if (plannedRecord.instead !== undefined) return make(plannedRecord.instead) as EmittedLogRecord
  return withValues({
    timestamp: plannedRecord.timestamp,
    observedTimestamp: plannedRecord.observed,
    severityNumber: plannedRecord.severityNumber,
    severityText: plannedRecord.severityText,
    body: made(plannedRecord.body),
    attributes: plannedRecord.strange === undefined ? membersOf(plannedRecord) : make(plannedRecord.strange),
    eventName: plannedRecord.eventName,
    exception: made(plannedRecord.exception),
    context: made(plannedRecord.spanContext),
  })
}

function readable(
  plannedRecord: RecordPlan,
  { scope, version, resource, schemaUrl, scopeAttributes }: Input,
): ReadableLogRecord {
  if (plannedRecord.instead !== undefined) return make(plannedRecord.instead) as ReadableLogRecord
  const attributes = scopeAttributes === undefined ? undefined : makeMembers(scopeAttributes)
  const [traceId, spanId] = plannedRecord.ids ?? []
  return withValues({
    hrTime: plannedRecord.timestamp ?? [1_700_000_000, 0],
    hrTimeObserved: plannedRecord.observed ?? [1_700_000_000, 0],
    severityNumber: plannedRecord.severityNumber,
    severityText: plannedRecord.severityText,
    body: made(plannedRecord.body),
    attributes: plannedRecord.strange === undefined ? membersOf(plannedRecord) : make(plannedRecord.strange),
    eventName: plannedRecord.eventName,
    spanContext:
      plannedRecord.ids === undefined
        ? made(plannedRecord.spanContext)
        : { traceId, spanId, traceFlags: plannedRecord.severityNumber },
    // Redaction rules do not apply to the resource of SDK records.
    resource: { attributes: resource === undefined ? {} : openOnly(resource), schemaUrl },
    instrumentationScope: withValues({
      name: scope,
      version,
      schemaUrl,
      attributes: attributes === undefined ? undefined : openOnly(scopeAttributes!),
    }),
    droppedAttributesCount: plannedRecord.severityNumber ?? 0,
  }) as unknown as ReadableLogRecord
}

function made(one: Plan | undefined): unknown {
  return one === undefined ? undefined : make(one)
}

function membersOf({ attributes }: RecordPlan): object | undefined {
  return attributes === undefined ? undefined : makeMembers(attributes)
}

/** Members without the secret. */
function openOnly(all: readonly (readonly [string, Plan])[]): object {
  return makeMembers(all.filter(([, one]) => one.is === 'text' || one.is === 'any'))
}

function withValues(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
