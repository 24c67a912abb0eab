import { flat } from './quote.ts'

/** A message as an encoding writes it. */
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
   * The message with what stands around it. From the second time on in one piece: in a busy millisecond many lines begin with the same
   * time, level and message.
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

  /** The message with what is in front of it, in one piece from the second time on. */
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
 * The messages that come again and again; most are literals of a program. One of many that are looked for in vain is tried, and when
 * the next one that is tried in its place is the same, it is kept: so messages that hold data cost a subtraction.
 */
export class RecurringMessages {
  /** One for each of some lengths. */
  private readonly kept: RecurringMessage[]
  /** The ones tried last. */
  private readonly tried: string[] = Array.from({ length: places }, () => '')
  private untilTrial = trialEvery
  private readonly render: (message: string) => string

  /** `render` returns a message as the encoding writes it. */
  constructor(render: (message: string) => string) {
    this.render = render
    const empty = new RecurringMessage('', render(''))
    this.kept = Array.from({ length: places }, () => empty)
  }

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
    if (this.tried[place] === message) this.kept[place] = new RecurringMessage(message, this.render(message))
    else this.tried[place] = message
  }
}

const places = 16
/** A prime, so that of messages that take turns each comes to be tried. */
const trialEvery = 31
/** In UTF-16 units. */
const longest = 100
