import { createOutput } from '../../src/output/create-output.ts'
import type { Output, OutputFormat } from '../../src/output/output.ts'
import type { OutputSettings } from '../../src/output/output-settings.ts'
import type { TextWriter } from '../../src/output/text-writer.ts'
import type { AnyValue, AnyValueMap } from '../../src/record/any-value.ts'
import type { ReadRecord, RecordOrigin } from '../../src/read/record.ts'

/** Keeps what is written. */
export class MemoryWriter implements TextWriter {
  isClosed = false
  private readonly parts: Buffer[] = []

  get bytes(): Buffer {
    return Buffer.concat(this.parts)
  }
  write(text: string): void {
    this.parts.push(Buffer.from(text))
  }
  writeBytes(bytes: Uint8Array): void {
    this.parts.push(Buffer.from(bytes))
  }
  flush(): void {
    // Nothing is gathered.
  }
  close(): Promise<void> {
    return Promise.resolve()
  }
}

/** Where the lines of tests are read. */
export const appLog: RecordOrigin = { file: 'app.log', line: 1, container: undefined, stream: undefined }

/** Returns a map of the data model, with nested objects as maps. */
export function mapOf(members: Readonly<Record<string, unknown>>): AnyValueMap {
  return new Map(Object.entries(members).map(([key, value]) => [key, valueOf(value)]))
}

function valueOf(value: unknown): AnyValue {
  if (Array.isArray(value)) return value.map(valueOf)
  const isObject = typeof value === 'object' && value !== null && !(value instanceof Uint8Array || value instanceof Map)
  return isObject ? mapOf(value as Record<string, unknown>) : (value as AnyValue)
}

/** The parts of a record that differ from those of a usual one. */
export type RecordParts = Partial<Omit<ReadRecord, 'attributes' | 'resource' | 'raw'>> & {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly resource?: Readonly<Record<string, unknown>>
  readonly raw?: string | Uint8Array
}

/** Returns a record of the level `info` with the message `m` and the time 2026-11-21T09:56:03.123Z. */
export function readRecord({ attributes = {}, resource = {}, raw = '{}\n', ...parts }: RecordParts = {}): ReadRecord {
  const time = Object.hasOwn(parts, 'time') ? parts.time : 1_795_254_963_123
  const message = Object.hasOwn(parts, 'message') ? parts.message : 'm'
  return {
    format: 'sluice',
    time,
    timeUnixNano: time === undefined ? undefined : BigInt(Math.round(time * 1_000)) * 1_000n,
    severityNumber: 9,
    level: 'info',
    severityText: undefined,
    body: message,
    message,
    eventName: undefined,
    scope: undefined,
    scopeVersion: undefined,
    traceId: undefined,
    spanId: undefined,
    traceFlags: undefined,
    origin: appLog,
    ...parts,
    attributes: mapOf(attributes),
    resource: mapOf(resource),
    raw: typeof raw === 'string' ? Buffer.from(raw) : raw,
  }
}

/** Settings with which most tests are shorter: UTC, no colors, 80 columns, no terminal. */
export function settingsFor(
  format: OutputFormat,
  writer: TextWriter,
  options: Partial<OutputSettings> = {},
): OutputSettings {
  return {
    format,
    writer,
    device: { key: '', workingDirectory: '/app/', columns: () => 80 },
    isTerminal: false,
    usesColors: false,
    files: ['app.log'],
    time: 'utc',
    ...options,
  }
}

/** Returns the bytes that an output writes for what `use` gives it. */
export function bytesWritten(
  format: OutputFormat,
  use: (output: Output) => void,
  options: Partial<OutputSettings> = {},
): Buffer {
  const writer = new MemoryWriter()
  const output = createOutput(settingsFor(format, writer, options))
  use(output)
  output.end()
  return writer.bytes
}

/** Returns the text that an output writes for records. */
export function written(
  format: OutputFormat,
  records: readonly ReadRecord[],
  options: Partial<OutputSettings> = {},
): string {
  return bytesWritten(
    format,
    (output) => {
      for (const record of records) output.record(record)
    },
    options,
  ).toString()
}
