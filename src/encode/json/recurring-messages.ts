import { flattenString } from './quote.ts'

/** A message in the form that an encoding writes, and the last texts that contained it. */
export class RecurringMessage {
  readonly message: string
  private readonly rendered: string
  private surroundingPrefix = ''
  private surroundingSuffix = ''
  private surroundedText: string | undefined
  private prefix = ''
  private prefixedText: string | undefined

  constructor(message: string, rendered: string) {
    this.message = message
    this.rendered = rendered
  }

  /**
   * Returns the message with the texts before and after it. With the same arguments as the last call, the result is cached: in a busy
   * millisecond, many lines begin with the same time, level and message.
   */
  surroundedBy(prefix: string, suffix: string): string {
    if (prefix !== this.surroundingPrefix || suffix !== this.surroundingSuffix) {
      this.surroundingPrefix = prefix
      this.surroundingSuffix = suffix
      this.surroundedText = undefined
      return prefix + this.rendered + suffix
    }
    return (this.surroundedText ??= flattenString(prefix + this.rendered + suffix))
  }

  /** Returns the message with the text before it. With the same argument as the last call, the result is cached. */
  withPrefix(prefix: string): string {
    if (prefix !== this.prefix) {
      this.prefix = prefix
      this.prefixedText = undefined
      return prefix + this.rendered
    }
    return (this.prefixedText ??= flattenString(prefix + this.rendered))
  }
}

/**
 * A cache of recurring messages, most of which are literals in the program. Of the messages that are not cached, one in 31 is a candidate;
 * if the next candidate for the same slot is the same message, it is cached. So a message that contains data usually costs only a
 * decrement.
 */
export class RecurringMessages {
  /** One message for each slot; the slot follows from the length. */
  private readonly cached: RecurringMessage[]
  /** The last candidate of each slot. */
  private readonly candidates: string[] = Array.from({ length: slots }, () => '')
  private missesUntilCandidate = candidateInterval
  private readonly render: (message: string) => string

  /** @param render - returns a message in the form that the encoding writes */
  constructor(render: (message: string) => string) {
    this.render = render
    const empty = new RecurringMessage('', render(''))
    this.cached = Array.from({ length: slots }, () => empty)
  }

  /** Returns the cached message; undefined if it is not cached. */
  get(message: string): RecurringMessage | undefined {
    const slot = message.length & (slots - 1)
    const known = this.cached[slot]!
    if (known.message === message) return known
    if (--this.missesUntilCandidate === 0) this.considerCandidate(message, slot)
    return undefined
  }

  private considerCandidate(message: string, slot: number): void {
    this.missesUntilCandidate = candidateInterval
    if (message.length > maxMessageLength) return
    if (this.candidates[slot] === message) this.cached[slot] = new RecurringMessage(message, this.render(message))
    else this.candidates[slot] = message
  }
}

const slots = 16
/** A prime, so that each of several alternating messages becomes a candidate. */
const candidateInterval = 31
/** The length of the longest message that is cached, in UTF-16 units. */
const maxMessageLength = 100
