import type { JsonText } from '../shared/json-text.ts'
import type { LogRecords } from '../shared/log-records.ts'
import { takesSeverity } from '../shared/severity-stream.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import type { Level } from './types.ts'

export const levels: readonly Level[] = ['debug', 'info', 'warn', 'error']

/** What an output writes to. */
export interface AnyStream {
  write(chunk: unknown): unknown
  /** Takes a line of a known severity, an OpenTelemetry severity number. */
  writeRecord?(line: string, severity: number): unknown
  flush?(callback: () => void): void
  readonly _writableState?: { readonly objectMode?: boolean }
}

/** An output that is open. */
export interface Output {
  readonly stream: AnyStream | undefined
  readonly records: LogRecords | undefined
  readonly json: JsonText
  readonly hookFailures: HookFailures
}

/** What all loggers of a process share, whichever copy of this package they are of. */
export interface Registry {
  fastTime: boolean
  readonly outputs: Readonly<Record<Level, Output[]>>
  /** Outputs that were taken away, while what they have is written. */
  readonly closing: Set<Promise<unknown>>
}

const key = Symbol.for('sluice/v1/bole')
const place = globalThis as { [key]?: Registry }

export function registry(): Registry {
  return (place[key] ??= {
    fastTime: false,
    outputs: { debug: [], info: [], warn: [], error: [] },
    closing: new Set(),
  })
}

/** Ends when everything that open and closing outputs have is written. */
export async function flushOutputs(): Promise<void> {
  const { outputs, closing } = registry()
  const open = new Set(Object.values(outputs).flat())
  await Promise.all([
    ...closing,
    ...[...open].flatMap(({ stream, records }) => [streamWritten(stream), records?.flush()]),
  ])
}

/** Takes all outputs away. Their exporters are closed when they have written what they have. */
export function closeOutputs(): void {
  const { outputs, closing } = registry()
  const open = new Set(Object.values(outputs).flat())
  for (const level of levels) outputs[level].length = 0
  for (const { stream, records } of open) {
    const closed = Promise.allSettled([streamWritten(stream), records?.shutdown()])
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }
}

/** Streams of others are theirs to flush. */
async function streamWritten(stream: AnyStream | undefined): Promise<void> {
  if (stream !== undefined && takesSeverity(stream)) await new Promise<void>((done) => stream.flush!(() => done()))
}
