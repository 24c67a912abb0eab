import { encoderFor, type RecordEncoder } from '../encode/encoding.ts'
import { jsonLines } from '../encode/json/json-lines.ts'
import type { LogRecord } from '../record/record.ts'
import { silentThreshold } from '../record/severity.ts'
import { readClock } from '../record/time.ts'
import type { Rules } from '../values/record-rules.ts'

/**
 * The key of a root logger's capture function. All copies of this package in a process use the same key, so its contract changes
 * only with the version number.
 */
export const captureKey: unique symbol = Symbol.for('sluice/v1/divert') as never

/**
 * Redirects all later records of a root logger and its children from their exporters to a sink. Returns a function that ends the
 * redirection.
 */
export type CaptureRecords = (sink: CaptureSink) => () => void

/** Receives captured records. Neither function may throw; errors are ignored. */
export interface CaptureSink {
  /** Receives one record: its line in the default layout, including the line end, and its severity number. */
  take(line: string, severity: number): void
  /**
   * Returns the time of a record, in ms since the Unix epoch.
   *
   * @defaultValue the logger's clock
   */
  readonly clock?: () => number
}

/** A target whose records can be captured. */
export interface Capturable {
  /** The lowest severity that the target accepts. */
  threshold: number
  /** Receives the records while they are captured; undefined otherwise. */
  recordCapture: RecordCapture | undefined
}

/**
 * Redirects the records of targets to a sink. Each record is encoded with the rules of the handler that received it. If there are
 * several sinks, the last one receives the records; sinks can be removed in any order. Captured records count as filtered. Returns
 * a function that removes the sink.
 *
 * During a capture, the threshold of the targets is above every severity, so that handlers need no additional test for it.
 */
export function captureRecords(targets: readonly Capturable[], sink: CaptureSink): () => void {
  const recordCapture = targets[0]!.recordCapture ?? beginCapture(targets)
  // A separate object for each call, because the same sink can be added several times.
  const entry = { sink }
  recordCapture.sinks.push(entry)
  return () => {
    const index = recordCapture.sinks.indexOf(entry)
    if (index < 0) return
    recordCapture.sinks.splice(index, 1)
    if (recordCapture.sinks.length === 0) recordCapture.end()
  }
}

/** The capture that all targets of a root logger share while there is at least one sink. */
export class RecordCapture {
  readonly sinks: { readonly sink: CaptureSink }[] = []
  readonly end: () => void
  private readonly encoders = new WeakMap<Rules, RecordEncoder>()

  constructor(end: () => void) {
    this.end = end
  }

  /** Sends a record to the last sink. Never throws. */
  handle(record: LogRecord, rules: Rules): void {
    try {
      this.take(this.encode(record, rules), record.severity)
    } catch {
      // The stack is exhausted. The record counts as filtered, like all captured ones.
    }
  }

  /** Returns the line of a record, with the time of the last sink's clock. Throws only if the stack is exhausted. */
  encode(record: LogRecord, rules: Rules): string {
    const clock = this.sinks.at(-1)?.sink.clock
    if (clock !== undefined) record.time = readClock(clock)
    const text = this.encoderOf(rules).encode(record)
    return typeof text === 'string' ? text : text.text()
  }

  /** Sends the line of a record to the last sink, if there still is one. Never throws. */
  take(line: string, severity: number): void {
    try {
      this.sinks.at(-1)?.sink.take(line, severity)
    } catch {
      // The sink threw, or the stack is exhausted.
    }
  }

  private encoderOf(rules: Rules): RecordEncoder {
    let encoder = this.encoders.get(rules)
    if (encoder === undefined) {
      encoder = encoderFor(jsonLines(), rules)
      this.encoders.set(rules, encoder)
    }
    return encoder
  }
}

function beginCapture(targets: readonly Capturable[]): RecordCapture {
  const thresholds = targets.map(({ threshold }) => threshold)
  const recordCapture = new RecordCapture(() => {
    for (const [index, target] of targets.entries()) {
      target.threshold = thresholds[index]!
      target.recordCapture = undefined
    }
  })
  for (const target of targets) {
    target.threshold = silentThreshold
    target.recordCapture = recordCapture
  }
  return recordCapture
}
