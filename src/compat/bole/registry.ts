import type { JsonWriter } from '../shared/json-text.ts'
import type { ClosableRecordEmitter } from '../shared/log-records.ts'
import { isStreamOfThisPackage } from '../shared/severity-stream.ts'
import type { HookFailureReporter } from '../shared/hook-failures.ts'
import type { Level } from './types.ts'

/** The levels, from the least severe. */
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
  /** Stream for lines; undefined if the output has only exporters. */
  readonly stream: AnyStream | undefined
  /** Passes records to the exporters; undefined without exporters. */
  readonly recordEmitter: ClosableRecordEmitter | undefined
  /** Redacts values by the rules of the output, and converts them to JSON. */
  readonly json: JsonWriter
  readonly hookFailures: HookFailureReporter
}

/** State shared by all loggers of a process, across copies of this package. */
export interface Registry {
  /** Whether the time is logged in milliseconds instead of ISO text. */
  fastTime: boolean
  /** The outputs that receive the records of each level. */
  readonly outputs: Readonly<Record<Level, Output[]>>
  /** One promise for each removed output that is still writing its queued lines and records. */
  readonly closing: Set<Promise<unknown>>
}

const registryKey = Symbol.for('sluice/v1/bole')
const globals = globalThis as { [registryKey]?: Registry }

/** Returns the registry, after creating it if necessary. */
export function registry(): Registry {
  return (globals[registryKey] ??= {
    fastTime: false,
    outputs: { debug: [], info: [], warn: [], error: [] },
    closing: new Set(),
  })
}

/** Waits until open and closing outputs have written everything, except to streams passed by the user. */
export async function flushOutputs(): Promise<void> {
  const { outputs, closing } = registry()
  const openOutputs = new Set(Object.values(outputs).flat())
  await Promise.all([
    ...closing,
    ...[...openOutputs].flatMap(({ stream, recordEmitter }) => [waitForStream(stream), recordEmitter?.flush()]),
  ])
}

/** Removes all outputs, and shuts down their exporters, which write their queued records first. */
export function closeOutputs(): void {
  const { outputs, closing } = registry()
  const openOutputs = new Set(Object.values(outputs).flat())
  for (const level of levels) outputs[level].length = 0
  for (const { stream, recordEmitter } of openOutputs) {
    const closed = Promise.allSettled([waitForStream(stream), recordEmitter?.shutdown()])
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }
}

/** Waits until a stream of this package has written its lines. Returns at once for other streams, which their owners flush. */
async function waitForStream(stream: AnyStream | undefined): Promise<void> {
  if (stream !== undefined && isStreamOfThisPackage(stream))
    await new Promise<void>((done) => stream.flush!(() => done()))
}
