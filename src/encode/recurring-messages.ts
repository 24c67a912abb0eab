import { escape, flat } from './quote.ts'

/** A message as it stands in lines. */
export class RecurringMessage {
  readonly message: string
  private readonly escaped: string
  private before = ''
  private behind = ''
  private text: string | undefined
  private startBefore = ''
  private startText: string | undefined

  constructor(message: string) {
    this.message = message
    this.escaped = escape(message)
  }

  /**
   * The message with what stands around it. From the second time on in one piece: in a busy millisecond many lines begin with the same
   * time, level and message.
   */
  between(before: string, behind: string): string {
    if (before !== this.before || behind !== this.behind) {
      this.before = before
      this.behind = behind
      this.text = undefined
      return before + this.escaped + behind
    }
    return (this.text ??= flat(before + this.escaped + behind))
  }

  /** The message with what is in front of it, in one piece from the second time on. */
  after(before: string): string {
    if (before !== this.startBefore) {
      this.startBefore = before
      this.startText = undefined
      return before + this.escaped
    }
    return (this.startText ??= flat(before + this.escaped))
  }
}

/**
 * The messages that come again and again; most are literals of a program. One of many that are looked for in vain is tried, and when
 * the next one that is tried in its place is the same, it is kept: so messages that hold data cost a subtraction.
 */
export class RecurringMessages {
  /** One for each of some lengths. */
  private readonly kept: RecurringMessage[] = Array.from({ length: places }, () => nothing)
  /** The ones tried last. */
  private readonly tried: string[] = Array.from({ length: places }, () => '')
  private untilTrial = trialEvery

  /** undefined: it is none of these. */
  get(message: string): RecurringMessage | undefined {
    const place = message.length & (places - 1)
    const known = this.kept[place]!
    if (known.message === message) return known
    if (--this.untilTrial === 0) this.try(message, place)
    return undefined
  }

  private try(message: string, place: number): void {
    this.untilTrial = trialEvery
    if (message.length > longest) return
    if (this.tried[place] === message) this.kept[place] = new RecurringMessage(message)
    else this.tried[place] = message
  }
}

const nothing = new RecurringMessage('')
const places = 16
/** A prime, so that of messages that take turns each comes to be tried. */
const trialEvery = 31
/** In UTF-16 units. */
const longest = 100
