import { describe, expect, test } from '@jest/globals'
import { inspect } from 'node:util'
import { defineEvent } from '../../src/logger/events.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { EncodingLogRecordExporter } from '../../src/otel/sdk/encoding-exporter.ts'
import { fromLogRecordExporter } from '../../src/otel/sdk/foreign-exporter.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { EnabledOptions, ReadableLogRecord } from '../../src/otel/api/types.ts'
import { AcceptingExporter } from '../support/pipeline/exporters.ts'
import { sdks } from './processor/sdks.ts'

const secret = 'CNRYsecret'
const redact = { patterns: [{ name: 'canary', pattern: /CNRY[a-z]{6}/ }] }

/** The texts of a record other than its body and attributes. */
const record = {
  severityNumber: 9,
  severityText: `level ${secret}`,
  eventName: `event.${secret}`,
  body: 'x',
}
const scope = {
  name: `scope ${secret}`,
  version: `1-${secret}`,
  schemaUrl: `https://${secret}/`,
  attributes: { [`k ${secret}`]: secret },
}
const resource = {
  attributes: { 'service.name': `shop ${secret}`, [`k ${secret}`]: [secret] },
  schemaUrl: `https://${secret}/`,
}
const readable = {
  ...record,
  hrTime: [1, 0],
  hrTimeObserved: [1, 0],
  attributes: {},
  droppedAttributesCount: 0,
  resource,
  instrumentationScope: scope,
} as ReadableLogRecord

/** Returns an SDK exporter that stores its records. */
function officialExporter() {
  const seen: ReadableLogRecord[] = []
  return {
    seen,
    export(records: readonly ReadableLogRecord[], done: (result: { code: number }) => void) {
      seen.push(...records)
      done({ code: 0 })
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  }
}

const textOf = (value: unknown) => inspect(value, { depth: 12, getters: true, showHidden: true })

function expectRedacted(seen: unknown): void {
  expect(textOf(seen)).toContain('[REDACTED]')
  expect(textOf(seen)).not.toContain('CNRY')
}

describe('redaction of scope, resource, level and event name for SDK exporters', () => {
  test('PipelineLogRecordProcessor redacts scope, resource, level and event name for an SDK exporter', async () => {
    for (const wrapped of [false, true]) {
      const official = officialExporter()
      const exporter = wrapped ? fromLogRecordExporter(official) : official
      const processor = new PipelineLogRecordProcessor({ exporter, redact })
      processor.onEmit(readable)
      processor.onEmit(readable)
      await processor.forceFlush()
      expect(official.seen).toMatchObject([
        { instrumentationScope: { name: 'scope [REDACTED]', version: '1-[REDACTED]' } },
        {},
      ])
      // Exporters group records by identity.
      expect(official.seen[0]!.instrumentationScope).toBe(official.seen[1]!.instrumentationScope)
      expect(official.seen[0]!.resource).toBe(official.seen[1]!.resource)
      expectRedacted(official.seen)
      await processor.shutdown()
    }
  })

  test.each(sdks)(
    'PipelineLogRecordProcessor in the provider of $name redacts scope, level and event name for an SDK exporter',
    async ({ LoggerProvider }) => {
      const official = officialExporter()
      const processor = new PipelineLogRecordProcessor({ exporter: official, redact })
      const provider = new LoggerProvider({ processors: [processor] })
      const { name, version, ...options } = scope
      provider.getLogger(name, version, options).emit(record)
      await provider.shutdown()
      expect(official.seen).toHaveLength(1)
      expectRedacted(official.seen)
    },
  )

  test('the provider and EncodingLogRecordExporter redact scope, resource, level and event name', async () => {
    const official = officialExporter()
    const provider = createLoggerProvider({
      exporter: fromLogRecordExporter(official),
      redact,
      resource,
    })
    const { name, version, ...options } = scope
    provider.getLogger(name, version, options).emit(record)
    await provider.shutdown()
    const other = officialExporter()
    const encoding = new EncodingLogRecordExporter({ exporter: fromLogRecordExporter(other), redact })
    encoding.export([readable], () => {})
    await encoding.shutdown()
    for (const { seen } of [official, other]) {
      expect(seen).toHaveLength(1)
      expectRedacted(seen)
    }
  })

  test.each([false, true])(
    'a logger redacts scope and resource for an SDK exporter (pattern of a child logger: %p)',
    async (ofChild) => {
      const official = officialExporter()
      const root = createLogger({
        exporter: fromLogRecordExporter(official),
        name: scope.name,
        version: scope.version,
        resource: { 'service.name': secret },
        ...(ofChild ? {} : { redact }),
      })
      const log = ofChild ? root.child({}, { redact }) : root
      log.info('x')
      await root.shutdown()
      expect(official.seen).toHaveLength(1)
      expectRedacted(official.seen)
    },
  )
})

test('an OTLP request contains the scope and resource as redacted by the patterns of a child logger', async () => {
  for (const several of [false, true]) {
    const otlp = new AcceptingExporter({ encoding: otlpEncoding('http/json') })
    const sources: unknown[] = []
    otlp.onExport = (batch) => void sources.push(...batch.sources())
    const root = createLogger({
      exporter: several ? [otlp, memoryExporter()] : otlp,
      name: scope.name,
      resource: { 'service.name': secret },
    })
    root.child({}, { redact }).info('x')
    await root.shutdown()
    expect(sources).toHaveLength(1)
    expectRedacted(sources)
  }
})

test('a logger redacts scope and event name before it passes them to a provider of the application', () => {
  for (const ofChild of [false, true]) {
    const received: unknown[] = []
    const logger = {
      emit: (given: object) => void received.push(given),
      enabled(options?: EnabledOptions) {
        received.push(options)
        return true
      },
    }
    const provider = {
      getLogger(...given: unknown[]) {
        received.push(given)
        return logger
      },
    }
    const root = createLogger({ provider, name: scope.name, version: scope.version, ...(ofChild ? {} : { redact }) })
    const log = ofChild ? root.child({}, { redact }) : root
    defineEvent(record.eventName)(log)
    expect(received).toHaveLength(3)
    expectRedacted(received)
  }
})
