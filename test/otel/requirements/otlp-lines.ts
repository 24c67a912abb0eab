import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import type { LoggerOptions, RootLogger } from '../../../src/logger/types.ts'
import { lineKeeper, workbench } from '../../support/files/line-keeper.ts'

/** A record as OTLP/JSON has it, as far as these tests look into it. */
export interface OtlpRecord {
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: object
  readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface OtlpLine {
  readonly resourceLogs: readonly { readonly scopeLogs: readonly { readonly logRecords: readonly OtlpRecord[] }[] }[]
}

/** The records of lines of the File Exporter. */
export function recordsIn(text: string): OtlpRecord[] {
  const lines = text.split('\n').filter((line) => line !== '')
  const requests = lines.map((line) => JSON.parse(line) as OtlpLine)
  return requests.flatMap(({ resourceLogs }) =>
    resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
  )
}

/** The records that a logger with an OTLP format makes. */
export function otlpOf<L extends string = never>(
  use: (log: RootLogger<object, L>) => void,
  options: LoggerOptions<object, L> = {},
): OtlpRecord[] {
  const { log, keeper } = workbench<L>(options, lineKeeper(otlpJsonLines()))
  use(log)
  return recordsIn(keeper.text())
}

/** The text of each attribute that is text. */
export function textsOf({ attributes = [] }: OtlpRecord): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value['stringValue']]))
}
