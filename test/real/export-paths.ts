import { OTLPLogExporter as GrpcExporter } from '@opentelemetry/exporter-logs-otlp-grpc'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import { fromLogRecordExporter } from '../../src/otel/sdk/foreign-exporter.ts'
import type { OtelLogRecordExporter } from '../../src/otel/sdk/foreign-exporter-options.ts'
import type { Exporter } from '../../src/pipeline/exporter.ts'
import type { Collector } from '../support/otlp/collector.ts'
import type { OtlpRecord, OtlpValue } from '../support/otlp/records.ts'
import { valueCases } from './values.ts'

/** An exporter and protocol for sending records to a Collector. */
export interface ExportPath {
  readonly title: string
  /** Creates an exporter for one pipeline. */
  exporter(collector: Collector): Exporter
  /** Values that arrive as strings because the exporter cannot represent them, by title in `valueCases`. */
  readonly asText: Readonly<Record<string, string>>
}

const urlOf = ({ httpUrl }: Collector): string => `${httpUrl}/v1/logs`
// The serializers of OpenTelemetry do not support BigInt, and a double cannot represent this value.
const noDouble = { 'the largest int64': '9223372036854775807' }

/** This package's OTLP exporter with each protocol, and OpenTelemetry's exporters that a logger can use. */
export const exportPaths: readonly ExportPath[] = [
  {
    title: 'http/protobuf',
    exporter: (collector) => otlpExporter({ url: urlOf(collector) }),
    asText: {},
  },
  {
    title: 'http/protobuf and gzip',
    exporter: (collector) => otlpExporter({ url: urlOf(collector), compression: 'gzip' }),
    asText: {},
  },
  {
    title: 'http/json',
    exporter: (collector) => otlpExporter({ url: urlOf(collector), protocol: 'http/json' }),
    asText: {},
  },
  {
    title: 'gRPC with OpenTelemetry’s exporter',
    exporter: ({ grpcAddress }) => wrapped(new GrpcExporter({ url: `http://${grpcAddress}` })),
    asText: noDouble,
  },
  {
    title: 'http/json with OpenTelemetry’s exporter',
    exporter: (collector) => wrapped(new JsonExporter({ url: urlOf(collector) })),
    // It would write null or an invalid int64 for these values, and a Collector would reject the request (D2, D3).
    asText: {
      ...noDouble,
      NaN: 'NaN',
      Infinity: 'Infinity',
      '-Infinity': '-Infinity',
      '2^53 + 2 as a BigInt': '9007199254740994',
      'the least int64': '-9223372036854775808',
      '1e21': '1e+21',
    },
  },
]

function wrapped(exporter: object): Exporter {
  return fromLogRecordExporter(exporter as OtelLogRecordExporter)
}

/** Returns the expected OTLP values of `valueCases`. */
export function expectedBy({ asText }: Pick<ExportPath, 'asText'>): OtlpValue[] {
  return valueCases.map(({ title, expected }) => (title in asText ? { stringValue: asText[title]! } : expected))
}

/** Returns the records that a Collector receives from `send`. */
export async function recordsReceivedBy(
  collector: Collector,
  count: number,
  send: () => Promise<unknown>,
): Promise<OtlpRecord[]> {
  const before = collector.records().length
  await send()
  return (await collector.atLeast(before + count)).slice(before)
}
