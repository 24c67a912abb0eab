import { TraceFlags, context, trace } from '@opentelemetry/api'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { JsonLogsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { LayoutName } from '../../../src/encode/json/layout-bases.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import type { AnyValue } from '../../../src/record/any-value.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { recordOf, rules } from '../../support/values/records.ts'
import {
  bunyanLines,
  ecsPinoLines,
  ecsWinstonLines,
  logTapeLines,
  pinoLines,
  tslogLines,
  winstonLines,
} from '../formats/library-lines.ts'
import type { StreamPart } from './mixed-stream.ts'

/** The time of the clock while the lines are written. */
export const libraryTime = Date.UTC(2026, 10, 21, 9, 56, 3, 123)

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const span = { trace_id: traceId, span_id: spanId, trace_flags: '01' }
const given = { order: 43, cart: { items: ['a', null, true] } }
const attributes = new Map<string, AnyValue>([
  ['order', 43],
  ['cart', new Map([['items', ['a', null, true]]])],
])
/** What every line has. */
const common: Partial<ReadRecord> = {
  level: 'warn',
  severityNumber: 13,
  time: libraryTime,
  timeUnixNano: BigInt(libraryTime) * 1_000_000n,
  message: 'payment failed',
  traceId,
  spanId,
  traceFlags: 1,
  attributes,
}

interface CustomLogger {
  notice(attributes: object, message: string): void
}

/** Returns a line of a library as a part, and what its record has in addition to the common properties. */
function part(name: string, [line = '', ...others]: readonly string[], record: Partial<ReadRecord>): StreamPart {
  if (others.length > 0) throw new Error(`${name}: ${others.length + 1} lines`)
  return { name, lines: [line.trimEnd()], record: { ...common, ...record } }
}

/** Returns a line that this package writes. */
function ownLine(layout: LayoutName | 'otlp'): string[] {
  const options = { body: 'payment failed', level: 'warn', severity: 13, attributes: given, time: libraryTime }
  const encoder = encoderFor(layout === 'otlp' ? otlpJsonLines() : jsonLines(layout), rules)
  return [encoder.encode(recordOf({ ...options, span: { traceId, spanId, traceFlags: 1 } })) as string]
}

/** Returns a request that the OpenTelemetry SDK for JavaScript sends, with one record. */
function otlpRequest(): string[] {
  const exporter = new InMemoryLogRecordExporter()
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    processors: [new SimpleLogRecordProcessor({ exporter })],
  })
  provider.getLogger('checkout').emit({
    timestamp: libraryTime,
    severityNumber: SeverityNumber.WARN,
    severityText: 'WARN',
    body: 'payment failed',
    attributes: given,
    context: trace.setSpanContext(context.active(), { traceId, spanId, traceFlags: TraceFlags.SAMPLED }),
  })
  return [Buffer.from(JsonLogsSerializer.serializeRequest(exporter.getFinishedLogRecords())!).toString()]
}

/** Returns a line of tslog. */
async function tslogPart(version: 4 | 5): Promise<StreamPart> {
  const lines = await tslogLines(version, (log) => log.warn('payment failed', { ...span, ...given }))
  return part(`a line of tslog ${version}`, lines, { format: 'tslog', severityText: 'WARN', scope: 'main' })
}

/** Returns a line of each logger, written by the library while the clock shows `libraryTime`. */
export async function libraryParts(): Promise<readonly StreamPart[]> {
  const low64 = '0'.repeat(16) + traceId.slice(16)
  return [
    part('a line of this package', ownLine('sluice'), { format: 'sluice', severityText: 'warn' }),
    part('a line of the layout otel', ownLine('otel'), { format: 'otel' }),
    part('a line of the layout pino', ownLine('pino'), { format: 'pino' }),
    part('a line of the layout ecs', ownLine('ecs'), { format: 'ecs', traceFlags: undefined }),
    part('a line of the layout gcp', ownLine('gcp'), { format: 'gcp' }),
    part('a line of the layout datadog', ownLine('datadog'), {
      format: 'datadog',
      traceId: low64,
      traceFlags: undefined,
    }),
    part('a line of the File Exporter', ownLine('otlp'), { format: 'otlp' }),
    part('a request of the OpenTelemetry SDK', otlpRequest(), { format: 'otlp', scope: 'checkout' }),
    part(
      'a line of pino',
      pinoLines({ name: 'shop' }, (log) => log.warn({ ...span, ...given }, 'payment failed')),
      { format: 'pino', severityText: undefined, scope: 'shop' },
    ),
    part(
      'a line of pino with a custom level',
      pinoLines({ customLevels: { notice: 35 } }, (log) =>
        (log as unknown as CustomLogger).notice({ ...span, ...given }, 'payment failed'),
      ),
      { format: 'pino', level: 'info3', severityNumber: 11 },
    ),
    part(
      'a line of bunyan',
      bunyanLines({}, (log) => log.warn({ ...span, ...given }, 'payment failed')),
      { format: 'bunyan', scope: 'shop' },
    ),
    part(
      'a line of winston',
      winstonLines(
        ({ combine, timestamp, json }) => combine(timestamp(), json()),
        (log) => log.warn('payment failed', { ...span, ...given }),
      ),
      { format: 'winston', severityText: 'warn' },
    ),
    part(
      'a colored line of winston',
      winstonLines(
        ({ combine, timestamp, colorize, json }) => combine(colorize(), timestamp(), json()),
        (log) => log.warn('payment failed', { ...span, ...given }),
      ),
      { format: 'winston', severityText: 'warn' },
    ),
    await tslogPart(4),
    await tslogPart(5),
    part('a line of LogTape', await logTapeLines({}, (log) => log.warn('payment failed', { ...span, ...given })), {
      format: 'logtape',
      severityText: 'WARN',
      scope: 'app.db',
    }),
    part(
      'a line of @elastic/ecs-pino-format',
      ecsPinoLines((log) => log.warn({ 'trace.id': traceId, 'span.id': spanId, ...given }, 'payment failed')),
      { format: 'ecs', severityText: 'warn', traceFlags: undefined },
    ),
    part(
      'a line of @elastic/ecs-winston-format',
      ecsWinstonLines((log) => log.warn('payment failed', { trace: { id: traceId }, span: { id: spanId }, ...given })),
      { format: 'ecs', severityText: 'warn', traceFlags: undefined },
    ),
  ]
}
