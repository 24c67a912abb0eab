import { afterEach, describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import * as fc from 'fast-check'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import type {
  OtelContext,
  OtelLogRecordProcessor,
  ProcessorEnabledOptions,
  ReadWriteLogRecord,
} from '../../../src/otel/api/types.ts'
import { sdks, type Sdk } from '../processor/sdks.ts'

// These tests make the same calls to the official SDK and to the provider. The processors of both must read the same.

const text = fc.string({ unit: 'grapheme-ascii', maxLength: 8 })
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const attributes = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true })
const record = fc.record(
  {
    timestamp: fc.constantFrom(1_700_000_000_000, new Date(1_700_000_000_123), [1_700_000_000, 5] as [number, number]),
    observedTimestamp: fc.constant(1_700_000_000_001),
    severityNumber: fc.integer({ min: 1, max: 24 }),
    severityText: text,
    body: value,
    eventName: fc.constantFrom('a.b', 'c'),
    attributes,
  },
  { requiredKeys: ['timestamp', 'observedTimestamp', 'attributes'] },
)
/** A change that a processor makes to a record. */
const change = fc.oneof(
  fc.tuple(fc.constant('setAttribute' as const), fc.tuple(key, value)),
  fc.tuple(fc.constant('setAttributes' as const), fc.tuple(attributes)),
  fc.tuple(fc.constant('setBody' as const), fc.tuple(value)),
  fc.tuple(fc.constant('setSeverityNumber' as const), fc.tuple(fc.integer({ min: 1, max: 24 }))),
  fc.tuple(fc.constant('setSeverityText' as const), fc.tuple(text)),
  fc.tuple(fc.constant('setEventName' as const), fc.tuple(fc.constant('other'))),
)
const limits = fc.record({
  count: fc.integer({ min: 1, max: 6 }),
  length: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(Infinity)),
})

/** Returns a processor that changes each record, and stores its fields before and after the changes. */
function changing(changes: readonly (readonly [string, readonly unknown[]])[]) {
  const seen: object[] = []
  const keep = (of: ReadWriteLogRecord): void => {
    const { hrTime, hrTimeObserved, severityNumber, severityText, body, eventName, droppedAttributesCount } = of
    const { name, version } = of.instrumentationScope
    const own = Object.fromEntries(Object.entries(of.attributes))
    seen.push(
      structuredClone({
        hrTime,
        hrTimeObserved,
        severityNumber,
        severityText: severityText || undefined,
        body,
        eventName,
        droppedAttributesCount,
        name,
        version,
        own,
      }),
    )
  }
  const onEmit = (of: ReadWriteLogRecord): void => {
    keep(of)
    for (const [method, args] of changes)
      (of as unknown as Record<string, (...given: readonly unknown[]) => void>)[method]!(...args)
    keep(of)
  }
  return { seen, onEmit, forceFlush: async () => {}, shutdown: async () => {} }
}

function officialLogger({ LoggerProvider }: Sdk, processors: readonly object[], logRecordLimits: object = {}) {
  const provider = new LoggerProvider({ processors, logRecordLimits })
  return { provider, logger: provider.getLogger('scope', '1.0') as ReturnType<typeof ourLogger>['logger'] }
}

function ourLogger(processors: readonly OtelLogRecordProcessor[], options: object = {}) {
  const provider = createLoggerProvider({
    exporter: memoryExporter(),
    processors,
    handleExit: false,
    onDiagnostic: () => {},
    ...options,
  })
  return { provider, logger: provider.getLogger('scope', '1.0') }
}

afterEach(() => api.context.disable())

describe.each(sdks)('the provider compared with $name', (sdk) => {
  // Requirements: LIM2, LIM3, PRO1, REC1, REC2
  test('processors read limited values, of the emitted record and of changes by earlier processors', () => {
    fc.assert(
      fc.property(record, limits, fc.array(change, { maxLength: 4 }), (fields, { count, length }, changes) => {
        const [theirs, ours] = [
          [changing(changes), changing([])],
          [changing(changes), changing([])],
        ] as const
        officialLogger(sdk, theirs, { attributeCountLimit: count, attributeValueLengthLimit: length }).logger.emit(
          fields,
        )
        ourLogger(ours, { limits: { attributes: count, stringLength: length } }).logger.emit(fields)
        expect(ours.map(({ seen }) => seen)).toEqual(theirs.map(({ seen }) => seen))
      }),
      { numRuns: 300 },
    )
  })

  // Requirements: SDK10, PRO3
  test('enabled calls the processors in order with the same arguments until one returns true', () => {
    const answer = fc.constantFrom(true, false, undefined)
    const options = fc.record(
      { severityNumber: fc.integer({ min: 1, max: 24 }), eventName: fc.constant('e') },
      { requiredKeys: [] },
    )
    const recordingProcessors = (answers: readonly (boolean | undefined)[]) => {
      const calls: object[] = []
      const processors = answers.map((one, index) => ({
        onEmit() {},
        forceFlush: async () => {},
        shutdown: async () => {},
        ...(one === undefined
          ? {}
          : {
              enabled({ context, instrumentationScope, severityNumber, eventName }: ProcessorEnabledOptions) {
                calls.push({
                  index,
                  isRoot: context.getValue(marker) === undefined,
                  name: instrumentationScope.name,
                  severityNumber,
                  eventName,
                })
                return one
              },
            }),
      }))
      return { calls, processors }
    }
    const marker = Symbol('marker')
    fc.assert(
      fc.property(
        fc.array(answer, { minLength: 1, maxLength: 3 }),
        options,
        fc.boolean(),
        (answers, given, hasContext) => {
          const [theirs, ours] = [recordingProcessors(answers), recordingProcessors(answers)]
          const context = api.ROOT_CONTEXT.setValue(marker, 1)
          const enabledOptions = hasContext ? { ...given, context } : given
          const expected = officialLogger(sdk, theirs.processors).logger.enabled(enabledOptions)
          // An exporter counts as one more processor; this one accepts no record.
          const exporter = memoryExporter({ level: 'silent' })
          expect(
            ourLogger(ours.processors, { exporter }).logger.enabled({ severityNumber: 9, ...enabledOptions }),
          ).toBe(expected)
          const severityNumber = given.severityNumber ?? 9
          const withSeverity = theirs.calls.map((one) => Object.assign(one, { severityNumber }))
          expect(ours.calls).toEqual(withSeverity)
        },
      ),
    )
  })

  // Requirements: SDK4, PRO4
  test('processors are not called after shutdown, even by existing loggers', async () => {
    const making = [
      (one: OtelLogRecordProcessor) => officialLogger(sdk, [one]),
      (one: OtelLogRecordProcessor) => ourLogger([one]),
    ]
    for (const make of making) {
      const processor = changing([])
      const { provider, logger } = make(processor)
      logger.emit({ body: 1 })
      await provider.shutdown()
      logger.emit({ body: 2 })
      expect([processor.seen.length, logger.enabled()]).toEqual([2, false])
    }
  })

  // Requirements: SDK12
  test('processors receive the given context, or else the active context, or else the root context', () => {
    const contextsOf = (make: (processor: OtelLogRecordProcessor) => { logger: { emit(fields: object): void } }) => {
      const contexts: (OtelContext | undefined)[] = []
      const processor = {
        onEmit: (_: unknown, context?: OtelContext) => void contexts.push(context),
        forceFlush: async () => {},
        shutdown: async () => {},
      }
      const { logger } = make(processor)
      const own = api.ROOT_CONTEXT.setValue(symbol, 'own')
      logger.emit({ body: 1 })
      logger.emit({ body: 1, context: own })
      sdk.api.context.setGlobalContextManager(new AsyncLocalStorageContextManager())
      sdk.api.context.with(api.ROOT_CONTEXT.setValue(symbol, 'active'), () => logger.emit({ body: 1 }))
      logger.emit({ body: 1 })
      sdk.api.context.disable()
      delete (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')]
      return contexts.map((context) => context?.getValue(symbol) ?? typeof context?.setValue(symbol, 1).deleteValue)
    }
    const symbol = Symbol('own')
    const theirs = contextsOf((processor) => officialLogger(sdk, [processor]))
    expect(contextsOf((processor) => ourLogger([processor]))).toEqual(theirs)
    expect(theirs).toEqual(['function', 'own', 'active', 'function'])
  })

  // Requirements: API1
  test('getLogger returns the same logger for the same scope, regardless of attribute order', () => {
    const scalar = fc.oneof(text, fc.integer(), fc.boolean())
    const scope = fc.record({
      version: fc.constantFrom('1', '', undefined),
      schemaUrl: fc.constantFrom('u', '', undefined),
      attributes: fc.dictionary(key, scalar, { noNullPrototype: true }),
    })
    fc.assert(
      fc.property(scope, fc.option(scope), (one, other) => {
        const second = other ?? { ...one, attributes: Object.fromEntries(Object.entries(one.attributes).toReversed()) }
        const isSame = (provider: { getLogger(name: string, version?: string, options?: object): unknown }) => {
          const [first, again] = [one, second].map(({ version, schemaUrl, attributes: given }) =>
            provider.getLogger('a', version, { schemaUrl, attributes: given }),
          )
          return first === again
        }
        const provider = createLoggerProvider({ exporter: memoryExporter(), handleExit: false })
        expect(isSame(provider)).toBe(isSame(new sdk.LoggerProvider({ processors: [] })))
      }),
    )
  })
})
