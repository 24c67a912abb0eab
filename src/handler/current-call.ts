import type { HandlerTarget } from './call-origin.ts'
import type { RecordView } from './record-view.ts'

/**
 * The call of a user's handler that runs now. There is one such object for each logger and not for each call, because a suppressed
 * record should cost as little as possible.
 */
export class CurrentCall {
  /**
   * The record that the user's handler handles. It is undefined while a forwarded record is encoded, so that records that are logged
   * meanwhile, for example by `toJSON`, are passed to the user's handler like any other.
   */
  record: RecordView | undefined
  target: HandlerTarget | undefined
  isForwarded = false
  /** The reason that the user's handler gives for not forwarding the record. */
  reason: unknown
  /** The object in which the user's handler counts the record if it is not forwarded. */
  counter: unknown

  begin(record: RecordView, target: HandlerTarget): void {
    this.record = record
    this.target = target
    this.isForwarded = false
    this.reason = undefined
    this.counter = undefined
  }

  /** Describes a call again that was interrupted by others. */
  resume(
    record: RecordView | undefined,
    target: HandlerTarget | undefined,
    isForwarded: boolean,
    reason: unknown,
    counter: unknown,
  ): void {
    this.record = record
    this.target = target
    this.isForwarded = isForwarded
    this.reason = reason
    this.counter = counter
  }
}

/** Increments the count of a user's object. Throws what reading or setting it throws. */
export function incrementCount(counter: unknown): void {
  if (typeof counter === 'object' && counter !== null) (counter as { count: number }).count++
}
