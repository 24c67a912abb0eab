import { encoderFor, type RecordEncoder } from '../encode/encoding.ts'
import { jsonLines } from '../encode/json/json-lines.ts'
import type { LogRecord } from '../record/record.ts'
import { SILENT } from '../record/severity.ts'
import { readClock } from '../record/time.ts'
import type { Rules } from '../values/record-rules.ts'

/**
 * Where a root logger can be asked for its records; loggers of other copies of this package are asked by the same key. Its
 * shape changes with the number only.
 */
export const captureKey: unique symbol = Symbol.for('sluice/v1/divert') as never

/** Gives a sink what the loggers of a family say from now on, in place of their exporters. Returns what ends that. */
export type CaptureRecords = (sink: CaptureSink) => () => void

/** Takes records for a while. Neither function may throw; what they throw is swallowed. */
export interface CaptureSink {
  /** Takes one record: its line in the default layout, with the line's end, and its severity number. */
  take(line: string, severity: number): void
  /** The time of a record, in ms since the Unix epoch. Default: the logger's. */
  readonly clock?: () => number
}

/** An output as far as its records can be led elsewhere. */
export interface Capturable {
  threshold: number
  activeCapture: RecordCapture | undefined
}

/**
 * Leads the records of outputs to a sink, by rules and encoder of the handler that has them. The last of several sinks has
 * them; they may end in any order. For the ledger such records are filtered.
 *
 * While it lasts no record is severe enough for the outputs: what a handler does with a record that is not costs nothing
 * where nobody diverts anything.
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

/** What the outputs of a family have in common while their records go elsewhere. */
export class RecordCapture {
  readonly sinks: { readonly sink: CaptureSink }[] = []
  readonly end: () => void
  private readonly encoders = new WeakMap<Rules, RecordEncoder>()

  constructor(end: () => void) {
    this.end = end
  }

  /** Never throws. */
  handle(record: LogRecord, rules: Rules): void {
    try {
      const { sink } = this.sinks.at(-1)!
      if (sink.clock !== undefined) record.time = readClock(sink.clock)
      const text = this.encoderOf(rules).encode(record)
      sink.take(typeof text === 'string' ? text : text.text(), record.severity)
    } catch {
      // an exhausted stack: the record counts as filtered, like the others
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
