import type { JsonText } from '../shared/json-text.ts'
import type { LogRecords } from '../shared/log-records.ts'
import { acceptsSeverity } from '../shared/severity-stream.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import type { Level } from './types.ts'

export const levels: readonly Level[] = ['debug', 'info', 'warn', 'error']

/** A stream that an output writes to. */
export interface AnyStream {
  write(chunk: unknown): unknown
  /** Writes a line with its OpenTelemetry severity number. */
  writeRecord?(line: string, severity: number): unknown
  flush?(callback: () => void): void
  readonly _writableState?: { readonly objectMode?: boolean }
}

/** An open output. */
export interface Output {
  readonly stream: AnyStream | undefined
  readonly records: LogRecords | undefined
  readonly json: JsonText
  readonly hookFailures: HookFailures
}

/** State shared by all loggers of a process, across copies of this package. */
export interface Registry {
  fastTime: boolean
  readonly outputs: Readonly<Record<Level, Output[]>>
  /** Removed outputs whose queued lines and records are still being written. */
  readonly closing: Set<Promise<unknown>>
}

const registryKey = Symbol.for('sluice/v1/bole')
const shared = globalThis as { [registryKey]?: Registry }

export function registry(): Registry {
  return (shared[registryKey] ??= {
    fastTime: false,
    outputs: { debug: [], info: [], warn: [], error: [] },
    closing: new Set(),
  })
}

/** Waits until everything from open and closing outputs is written. */
export async function flushOutputs(): Promise<void> {
  const { outputs, closing } = registry()
  const open = new Set(Object.values(outputs).flat())
  await Promise.all([
    ...closing,
    ...[...open].flatMap(({ stream, records }) => [streamWritten(stream), records?.flush()]),
  ])
}

/** Removes all outputs. Their exporters are shut down after everything is written. */
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

/** Waits until a stream of this package has written its lines. Other streams are flushed by their owners. */
async function streamWritten(stream: AnyStream | undefined): Promise<void> {
  if (stream !== undefined && acceptsSeverity(stream)) await new Promise<void>((done) => stream.flush!(() => done()))
}
