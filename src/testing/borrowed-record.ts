import type { RecordView } from '../handler/record-view.ts'
import type { HandledRecord } from '../handler/handler.ts'

/** A record that detects when it is read or set after it was returned. */
export class BorrowedRecord implements HandledRecord<string> {
  readonly #record: RecordView
  readonly #misused: (how: string) => void
  #isOver = false

  constructor(record: RecordView, misused: (how: string) => void) {
    this.#record = record
    this.#misused = misused
  }

  /** Marks a record as returned. Call it when the handler has returned. */
  static takeBack(lent: BorrowedRecord): void {
    lent.#isOver = true
  }

  get time(): number {
    return this.#read('time').time
  }
  get level(): string {
    return this.#read('level').level
  }
  set level(level: string) {
    this.#set('level').level = level
  }
  get severity(): number {
    return this.#read('severity').severity
  }
  get body(): unknown {
    return this.#read('body').body
  }
  set body(body: unknown) {
    this.#set('body').body = body
  }
  get attributes(): RecordView['attributes'] {
    return this.#read('attributes').attributes
  }
  set attributes(attributes: RecordView['attributes']) {
    this.#set('attributes').attributes = attributes
  }
  get exception(): unknown {
    return this.#read('exception').exception
  }
  get span(): RecordView['span'] {
    return this.#read('span').span
  }
  get eventName(): string | undefined {
    return this.#read('eventName').eventName
  }
  get bound(): RecordView['bound'] {
    return this.#read('bound').bound
  }

  /** Reports late use without throwing, because it may happen in a timer of other code. */
  #read(name: string): RecordView {
    if (this.#isOver) this.#misused(`${name} of a record was read after handle returned`)
    return this.#record
  }

  #set(name: string): RecordView {
    if (this.#isOver) this.#misused(`${name} of a record was set after handle returned`)
    return this.#record
  }
}
