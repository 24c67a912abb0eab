import { flat } from './quote.ts'

/** A message in the form that an encoding writes. */
export class RecurringMessage {
  readonly message: string
  private readonly rendered: string
  private before = ''
  private behind = ''
  private text: string | undefined
  private startBefore = ''
  private startText: string | undefined

  constructor(message: string, rendered: string) {
    this.message = message
    this.rendered = rendered
  }

  /**
   * Returns the message with the text around it. With the same arguments, the result is cached from the second call: in a busy millisecond
   * many lines begin with the same time, level and message.
   */
  between(before: string, behind: string): string {
    if (before !== this.before || behind !== this.behind) {
      this.before = before
      this.behind = behind
      this.text = undefined
      return before + this.rendered + behind
    }
    return (this.text ??= flat(before + this.rendered + behind))
  }

  /** Returns the message with the text before it. With the same argument, the result is cached from the second call. */
  after(before: string): string {
    if (before !== this.startBefore) {
      this.startBefore = before
      this.startText = undefined
      return before + this.rendered
    }
    return (this.startText ??= flat(before + this.rendered))
  }
}

/**
 * A cache of recurring messages, most of which are literals in the program. Of the messages that miss the cache, one in 31 is a candidate;
 * if the next candidate for the same slot is the same message, it is cached. So a message that contains data costs only a subtraction.
 */
export class RecurringMessages {
  /** One message for each slot; the slot follows from the length. */
  private readonly kept: RecurringMessage[]
  /** The last candidate of each slot. */
  private readonly tried: string[] = Array.from({ length: slots }, () => '')
  private untilTrial = trialEvery
  private readonly render: (message: string) => string

  /** @param render - returns a message in the form that the encoding writes */
  constructor(render: (message: string) => string) {
    this.render = render
    const empty = new RecurringMessage('', render(''))
    this.kept = Array.from({ length: slots }, () => empty)
  }

  /** Returns the cached message; undefined if it is not cached. */
  get(message: string): RecurringMessage | undefined {
    const slot = message.length & (slots - 1)
    const known = this.kept[slot]!
    if (known.message === message) return known
    if (--this.untilTrial === 0) this.try(message, slot)
    return undefined
  }

  private try(message: string, slot: number): void {
    this.untilTrial = trialEvery
    if (message.length > longest) return
    if (this.tried[slot] === message) this.kept[slot] = new RecurringMessage(message, this.render(message))
    else this.tried[slot] = message
  }
}

const slots = 16
/** A prime, so that each of several alternating messages becomes a candidate. */
const trialEvery = 31
/** The longest message that is cached, in UTF-16 units. */
const longest = 100
