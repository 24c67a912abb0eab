import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import type { LoggerOptions, RootLogger } from '../../../src/logger/types.ts'
import { capturingExporter, createTestLogger } from '../../support/files/test-logger.ts'

/** The fields of an OTLP/JSON record that these tests read. */
export interface OtlpRecord {
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: object
  readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface OtlpLine {
  readonly resourceLogs: readonly { readonly scopeLogs: readonly { readonly logRecords: readonly OtlpRecord[] }[] }[]
}

/** Returns the records in lines of the OTLP File Exporter. */
export function recordsIn(text: string): OtlpRecord[] {
  const lines = text.split('\n').filter((line) => line !== '')
  const requests = lines.map((line) => JSON.parse(line) as OtlpLine)
  return requests.flatMap(({ resourceLogs }) =>
    resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
  )
}

/** Returns the records that a logger writes as OTLP/JSON lines. */
export function otlpRecordsOf<L extends string = never>(
  use: (log: RootLogger<object, L>) => void,
  options: LoggerOptions<object, L> = {},
): OtlpRecord[] {
  const { log, exporter } = createTestLogger<L>(options, capturingExporter(otlpJsonLines()))
  use(log)
  return recordsIn(exporter.text())
}

/** Returns the string value of each attribute, or undefined if it has another type. */
export function stringAttributesOf({ attributes = [] }: OtlpRecord): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value['stringValue']]))
}
