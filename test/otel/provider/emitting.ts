import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { createLoggerProvider, type LoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { AcceptingExporter } from '../../support/pipeline/exporters.ts'

/** An OTLP/JSON value. */
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

/** The record of an OTLP/JSON line, with its attributes by name. */
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

/** The scope and the resource of an OTLP/JSON line. */
export interface InstrumentationSource {
  readonly scope: Readonly<Record<string, unknown>>
  readonly scopeSchemaUrl: string | undefined
  readonly resource: ReadonlyMap<string, AnyValue>
  readonly resourceSchemaUrl: string | undefined
}

/** A provider that exports records before `emit` returns, as OTLP/JSON and as JSON lines, and its diagnostics. */
export interface Emitting {
  readonly provider: LoggerProvider
  readonly diagnostics: Diagnostic[]
  /** Returns the records that were emitted so far. */
  emitted(): Emitted[]
  sources(): InstrumentationSource[]
  /** Returns the lines in the default layout. */
  lines(): any[]
}

/**
 * Creates a provider with an OTLP exporter and, unless it is `alone`, an exporter of JSON lines. A record for one
 * exporter is encoded directly; for two exporters, it is first read into data that both encodings share.
 */
export function emitting(options: LoggerProviderOptions = {}, alone = false): Emitting {
  const otlp = new AcceptingExporter({ name: 'otlp', schedule: 'sync', encoding: otlpJsonLines() })
  const lines = new AcceptingExporter({ name: 'lines', schedule: 'sync' })
  const diagnostics: Diagnostic[] = []
  const onDiagnostic = (diagnostic: Diagnostic) => diagnostics.push(diagnostic)
  const provider = createLoggerProvider({
    exporter: alone ? otlp : [otlp, lines],
    onDiagnostic,
    handleExit: false,
    ...options,
  })
  return {
    provider,
    diagnostics,
    emitted: () => otlp.lines().map((line) => recordIn(line)),
    sources: () => otlp.lines().map((line) => sourceIn(line)),
    lines: () => lines.lines(),
  }
}

/** Returns attribute values by name. */
export function byName(attributes: readonly KeyValue[] = []): Map<string, AnyValue> {
  return new Map(attributes.map(({ key, value }) => [key, value]))
}

function recordIn(line: any): Emitted {
  const [record] = line.resourceLogs[0].scopeLogs[0].logRecords
  return { ...record, attributes: byName(record.attributes) }
}

function sourceIn(line: any): InstrumentationSource {
  const [{ resource, scopeLogs, schemaUrl }] = line.resourceLogs
  return {
    scope: scopeLogs[0].scope,
    scopeSchemaUrl: scopeLogs[0].schemaUrl,
    resource: byName(resource.attributes),
    resourceSchemaUrl: schemaUrl,
  }
}
