import type { RecordView } from '../handler/record-view.ts'
import type { HandledRecord } from '../handler/handler.ts'

/** A record that reports when it is read or changed after the handler has returned. */
export class BorrowedRecord implements HandledRecord<string> {
  readonly #record: RecordView
  readonly #reportMisuse: (misuse: string) => void
  #isTakenBack = false

  constructor(record: RecordView, reportMisuse: (misuse: string) => void) {
    this.#record = record
    this.#reportMisuse = reportMisuse
  }

  /** Ends the use of a record. Call it when the handler has returned. */
  static takeBack(record: BorrowedRecord): void {
    record.#isTakenBack = true
  }

  get time(): number {
    return this.#forReading('time').time
  }
  get level(): string {
    return this.#forReading('level').level
  }
  set level(level: string) {
    this.#forWriting('level').level = level
  }
  get severity(): number {
    return this.#forReading('severity').severity
  }
  get body(): unknown {
    return this.#forReading('body').body
  }
  set body(body: unknown) {
    this.#forWriting('body').body = body
  }
  get attributes(): RecordView['attributes'] {
    return this.#forReading('attributes').attributes
  }
  set attributes(attributes: RecordView['attributes']) {
    this.#forWriting('attributes').attributes = attributes
  }
  get exception(): unknown {
    return this.#forReading('exception').exception
  }
  get span(): RecordView['span'] {
    return this.#forReading('span').span
  }
  get eventName(): string | undefined {
    return this.#forReading('eventName').eventName
  }
  get isHeld(): boolean {
    return this.#forReading('isHeld').isHeld
  }
  get bound(): RecordView['bound'] {
    return this.#forReading('bound').bound
  }

  /** Returns the record. Late use is reported without throwing, because it may happen in a timer of other code. */
  #forReading(name: string): RecordView {
    if (this.#isTakenBack) this.#reportMisuse(`${name} of a record was read after handle returned`)
    return this.#record
  }

  #forWriting(name: string): RecordView {
    if (this.#isTakenBack) this.#reportMisuse(`${name} of a record was set after handle returned`)
    return this.#record
  }
}
