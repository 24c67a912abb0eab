import { jsonLines } from '../encode/json/json-lines.ts'
import {
  copyAndCheckOptions,
  pickDeliveryOptions,
  deliverySchema,
  throwIfInvalid,
} from '../exporters/exporter-options.ts'
import type { CaptureSink } from '../handler/record-capture.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../pipeline/exporter.ts'
import { capturedRecord, type CapturedRecord } from './captured-record.ts'

/** The captured records, in the order of the log calls. */
export class Capture {
  readonly records: CapturedRecord[] = []

  /** Creates an exporter whose records are captured before the log call returns. */
  exporter(options: Delivery): Exporter {
    const { checkedOptions, problems } = copyAndCheckOptions('exporter', options, deliverySchema)
    throwIfInvalid(problems)
    const exportBatch = (batch: EncodedBatch): ExportResult => {
      for (const { text, severity } of batch.records()) this.add(text, severity)
      return { status: 'accepted' }
    }
    return {
      name: 'captured',
      encoding: jsonLines(),
      schedule: 'sync',
      delivery: pickDeliveryOptions(checkedOptions),
      export: exportBatch,
      exportSync: exportBatch,
    }
  }

  /**
   * Creates a sink that captures the records of existing loggers in place of their exporters.
   *
   * @param clock - returns the time of these records
   */
  sink(clock: () => number): CaptureSink {
    return { clock, take: (line, severity) => this.add(line, severity) }
  }

  private add(line: string, severity: number): void {
    this.records.push(capturedRecord(line, severity))
  }
}
