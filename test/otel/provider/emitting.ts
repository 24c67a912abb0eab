import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { createLoggerProvider, type LoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { TakingExporter } from '../../support/pipeline/exporters.ts'

/** A value of OTLP/JSON. */
export interface AnyValue {
  readonly stringValue?: string
  readonly intValue?: string
  readonly doubleValue?: number | string
  readonly boolValue?: boolean
  readonly bytesValue?: string
  readonly arrayValue?: { readonly values: readonly AnyValue[] }
  readonly kvlistValue?: { readonly values: readonly KeyValue[] }
}

export interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

/** A record as an OTLP/JSON line has it, its attributes by name. */
export interface Emitted {
  readonly timeUnixNano?: string
  readonly observedTimeUnixNano?: string
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: AnyValue
  readonly attributes: ReadonlyMap<string, AnyValue>
  readonly droppedAttributesCount?: number
  readonly flags?: number
  readonly traceId?: string
  readonly spanId?: string
  readonly eventName?: string
}

/** Who speaks in an OTLP/JSON line. */
export interface Speaker {
  readonly scope: Readonly<Record<string, unknown>>
  readonly scopeSchemaUrl: string | undefined
  readonly resource: ReadonlyMap<string, AnyValue>
  readonly resourceSchemaUrl: string | undefined
}

/** A provider whose records are there when `emit` returns, as OTLP/JSON and as lines, and all that it told. */
export interface Emitting {
  readonly provider: LoggerProvider
  readonly problems: Diagnostic[]
  /** What was emitted so far. */
  emitted(): Emitted[]
  speakers(): Speaker[]
  /** The lines of the default layout. */
  lines(): any[]
}

/** `alone`: without the lines, so that a record is walked once into text and not into data that both are written from. */
export function emitting(options: LoggerProviderOptions = {}, alone = false): Emitting {
  const otlp = new TakingExporter({ name: 'otlp', schedule: 'sync', encoding: otlpJsonLines() })
  const lines = new TakingExporter({ name: 'lines', schedule: 'sync' })
  const problems: Diagnostic[] = []
  const onDiagnostic = (problem: Diagnostic) => problems.push(problem)
  const provider = createLoggerProvider({
    exporter: alone ? otlp : [otlp, lines],
    onDiagnostic,
    handleExit: false,
    ...options,
  })
  return {
    provider,
    problems,
    emitted: () => otlp.lines().map((line) => recordIn(line)),
    speakers: () => otlp.lines().map((line) => speakerIn(line)),
    lines: () => lines.lines(),
  }
}

/** The values by their names. */
export function byName(attributes: readonly KeyValue[] = []): Map<string, AnyValue> {
  return new Map(attributes.map(({ key, value }) => [key, value]))
}

function recordIn(line: any): Emitted {
  const [record] = line.resourceLogs[0].scopeLogs[0].logRecords
  return { ...record, attributes: byName(record.attributes) }
}

function speakerIn(line: any): Speaker {
  const [{ resource, scopeLogs, schemaUrl }] = line.resourceLogs
  return {
    scope: scopeLogs[0].scope,
    scopeSchemaUrl: scopeLogs[0].schemaUrl,
    resource: byName(resource.attributes),
    resourceSchemaUrl: schemaUrl,
  }
}
