import { OTLPLogExporter as GrpcExporter } from '@opentelemetry/exporter-logs-otlp-grpc'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import { fromLogRecordExporter } from '../../src/otel/sdk/foreign-exporter.ts'
import type { OtelLogRecordExporter } from '../../src/otel/sdk/foreign-exporter-options.ts'
import type { Exporter } from '../../src/pipeline/exporter.ts'
import type { Collector } from '../support/otlp/collector.ts'
import type { OtlpRecord, OtlpValue } from '../support/otlp/records.ts'
import { valueCases } from './values.ts'

/** A way for records to a Collector. */
export interface Way {
  readonly title: string
  /** An exporter for one pipeline. */
  exporter(collector: Collector): Exporter
  /** What arrives as text, because whoever carries it has no other word for it: titles of `valueCases`. */
  readonly asText: Readonly<Record<string, string>>
}

const urlOf = ({ httpUrl }: Collector): string => `${httpUrl}/v1/logs`
// The serializers of OpenTelemetry know no BigInt, and this is no double.
const noDouble = { 'the largest int64': '9223372036854775807' }

/** This package's own exporter in each of its forms, and those of OpenTelemetry that a logger can have. */
export const ways: readonly Way[] = [
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
    title: 'gRPC, by OpenTelemetry’s exporter',
    exporter: ({ grpcAddress }) => behindOurs(new GrpcExporter({ url: `http://${grpcAddress}` })),
    asText: noDouble,
  },
  {
    title: 'http/json, by OpenTelemetry’s exporter',
    exporter: (collector) => behindOurs(new JsonExporter({ url: urlOf(collector) })),
    // It writes null for the first three, and no int64 for the others: a Collector refuses the request (D2, D3).
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

function behindOurs(exporter: object): Exporter {
  return fromLogRecordExporter(exporter as OtelLogRecordExporter)
}

/** What each of `valueCases` has to arrive as. */
export function expectedBy({ asText }: Pick<Way, 'asText'>): OtlpValue[] {
  return valueCases.map(({ title, expected }) => (title in asText ? { stringValue: asText[title]! } : expected))
}

/** The records that a Collector takes while something is said to it, and nothing else is. */
export async function arriving(
  collector: Collector,
  count: number,
  say: () => Promise<unknown>,
): Promise<OtlpRecord[]> {
  const before = collector.records().length
  await say()
  return (await collector.atLeast(before + count)).slice(before)
}
