import { jsonLines } from '../encode/json/json-lines.ts'
import { checkedOptions, deliveryOf, deliverySchema, refuse } from '../exporters/exporter-options.ts'
import type { CaptureSink } from '../handler/record-capture.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../pipeline/exporter.ts'
import { capturedRecord, type CapturedRecord } from './captured-record.ts'

/** What was captured, in the order in which it was said. */
export class Capture {
  readonly records: CapturedRecord[] = []

  /** An exporter that leaves its records here before the log call returns. */
  exporter(options: Delivery): Exporter {
    const { own, problems } = checkedOptions('exporter', options, deliverySchema)
    refuse(problems)
    const take = (batch: EncodedBatch): ExportResult => {
      for (const { text, severity } of batch.records()) this.take(text, severity)
      return { status: 'accepted' }
    }
    return {
      name: 'captured',
      encoding: jsonLines(),
      schedule: 'sync',
      delivery: deliveryOf(own),
      export: take,
      exportSync: take,
    }
  }

  /** Takes what other loggers say. */
  sink(clock: () => number): CaptureSink {
    return { clock, take: (line, severity) => this.take(line, severity) }
  }

  private take(line: string, severity: number): void {
    this.records.push(capturedRecord(line, severity))
  }
}
