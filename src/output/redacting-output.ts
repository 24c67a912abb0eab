import type { ReadRecord, RecordOrigin } from '../read/record.ts'
import type { Output } from './output.ts'
import type { RecordRedactor } from './record-redactor.ts'

/** Redacts records and text before they reach an output. */
export class RedactingOutput implements Output {
  private readonly output: Output
  private readonly redactor: RecordRedactor

  constructor(output: Output, redactor: RecordRedactor) {
    this.output = output
    this.redactor = redactor
  }

  record(record: ReadRecord): void {
    this.output.record(this.redactor.redact(record))
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.output.text(this.redactor.text(bytes, origin), this.redactor.origin(origin))
  }

  flush(): void {
    this.output.flush()
  }

  end(): void {
    this.output.end()
  }
}
