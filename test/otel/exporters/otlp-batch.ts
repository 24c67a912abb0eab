import { encoderFor } from '../../../src/encode/encoding.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { BatchBuffer, RecordOwner } from '../../../src/pipeline/batch-buffer.ts'
import type { EncodedBatch } from '../../../src/pipeline/exporter.ts'
import { Counters } from '../../../src/pipeline/counters.ts'
import { byteBuffers } from '../../../src/platform/node/byte-buffers.ts'
import { recordOf, rules } from '../../support/values/records.ts'

/** Returns a batch with a record for each body, in the encoding for SDK exporters. */
export function otlpBatch(bodies: readonly unknown[]): EncodedBatch {
  const encoder = encoderFor(otlpEncoding('http/json'), rules)
  const batch = new BatchBuffer(1, byteBuffers())
  const counters = new Counters()
  for (const body of bodies) {
    const record = recordOf({ body })
    batch.add(encoder.encode(record) as string, record.severity, new RecordOwner(counters, record.bound))
  }
  batch.close()
  return batch
}
