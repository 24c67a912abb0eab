import { jsonLines } from '../encode/json/json-lines.ts'
import { checkedOptions, pickDeliveryOptions, deliverySchema, throwIfInvalid } from '../exporters/exporter-options.ts'
import type { CaptureSink } from '../handler/record-capture.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../pipeline/exporter.ts'
import { capturedRecord, type CapturedRecord } from './captured-record.ts'

/** The captured records, in the order of the log calls. */
export class Capture {
  readonly records: CapturedRecord[] = []

  /** Creates an exporter whose records are captured before the log call returns. */
  exporter(options: Delivery): Exporter {
    const { own, problems } = checkedOptions('exporter', options, deliverySchema)
    throwIfInvalid(problems)
    const take = (batch: EncodedBatch): ExportResult => {
      for (const { text, severity } of batch.records()) this.take(text, severity)
      return { status: 'accepted' }
    }
    return {
      name: 'captured',
      encoding: jsonLines(),
      schedule: 'sync',
      delivery: pickDeliveryOptions(own),
      export: take,
      exportSync: take,
    }
  }

  /** Creates a sink that captures the records of other loggers. */
  sink(clock: () => number): CaptureSink {
    return { clock, take: (line, severity) => this.take(line, severity) }
  }

  private take(line: string, severity: number): void {
    this.records.push(capturedRecord(line, severity))
  }
}
