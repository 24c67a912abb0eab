import { encoderFor, type RecordEncoder } from '../encode/encoding.ts'
import { jsonLines } from '../encode/json/json-lines.ts'
import type { LogRecord } from '../record/record.ts'
import { SILENT } from '../record/severity.ts'
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

/** An output whose records can be captured. */
export interface Capturable {
  threshold: number
  activeCapture: RecordCapture | undefined
}

/**
 * Redirects the records of outputs to a sink. They are encoded by the rules of the handler that receives them. If there are
 * several sinks, the last one receives the records; sinks can be removed in any order. Captured records count as filtered.
 *
 * During a capture the threshold of the outputs is above every severity, so capture adds no cost to records when it is not in
 * use.
 */
export function captureRecords(outputs: readonly Capturable[], sink: CaptureSink): () => void {
  const activeCapture = outputs[0]!.activeCapture ?? begin(outputs)
  const own = { sink }
  activeCapture.sinks.push(own)
  return () => {
    const at = activeCapture.sinks.indexOf(own)
    if (at < 0) return
    activeCapture.sinks.splice(at, 1)
    if (activeCapture.sinks.length === 0) activeCapture.end()
  }
}

/** The capture that all outputs of a root logger share. */
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
      const { sink } = this.sinks.at(-1)!
      if (sink.clock !== undefined) record.time = readClock(sink.clock)
      const text = this.encoderOf(rules).encode(record)
      sink.take(typeof text === 'string' ? text : text.text(), record.severity)
    } catch {
      // The stack is exhausted; the record counts as filtered, like all captured ones.
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

function begin(outputs: readonly Capturable[]): RecordCapture {
  const thresholds = outputs.map(({ threshold }) => threshold)
  const activeCapture = new RecordCapture(() => {
    for (const [index, output] of outputs.entries()) {
      output.threshold = thresholds[index]!
      output.activeCapture = undefined
    }
  })
  for (const output of outputs) {
    output.threshold = SILENT
    output.activeCapture = activeCapture
  }
  return activeCapture
}
