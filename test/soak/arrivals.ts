import { recordIn } from '../faults/harness/records.ts'
import { arrivedMessage, canary, type SoakAttributes } from './records.ts'
import { SeqRanges } from './seq-ranges.ts'

/** A record as it arrived somewhere, whatever its format. */
export interface Arrived {
  /** The name of its logger: the life that it belongs to. */
  readonly scope: string
  readonly level: string
  readonly message: string
  readonly eventName: string | undefined
  /** With its clock's precision: tells two notices of losses apart. */
  readonly time: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What has arrived of one life at one destination, as data. */
export interface ArrivalCounts {
  readonly seqs: readonly (readonly [number, number])[]
  /** Notices of losses. */
  readonly notices: number
  /** Records that came more than once, however often that was. */
  readonly duplicates: number
  /** Which of them are no notices. */
  readonly again: readonly (readonly [number, number])[]
  /** Records that came for the first time after a later one. */
  readonly late: number
}

/** What has arrived at one destination. */
export interface ArrivalReport {
  readonly lives: Readonly<Record<string, ArrivalCounts>>
  /** Lines that are none. */
  readonly torn: number
  /** Some of them. */
  readonly tornLines: readonly string[]
  readonly records: number
  /** What must not be, in sentences. */
  readonly wrong: readonly string[]
}

const MOST_SENTENCES = 5

/** Takes note of what arrives at a destination, and of what is wrong with it. Holds no record. */
export class Arrivals {
  private readonly lives = new Map<string, Life>()
  private readonly wrong: string[] = []
  private torn = 0
  private readonly tornLines: string[] = []
  private records = 0

  /** A line of text, without its end. An empty one is none: it ends one that was given up. */
  line(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.search(bytes)
    const text = bytes.toString()
    const value = parsed(text)
    if (value !== undefined) return this.record(arrivedLine(value))
    this.torn++
    if (this.tornLines.length < MOST_SENTENCES) this.tornLines.push(shortened(text))
    // What is torn is the beginning of a line, and nothing was put behind it.
    if (!text.startsWith(head.slice(0, text.length)) || text.includes(head, 1))
      this.complain(`a line was put together: ${shortened(text)}`)
  }

  /** Raw bytes, as they came: nothing secret may be in them. */
  search(bytes: Buffer): void {
    if (bytes.includes(canary)) this.complain(`a secret was shown: ${shortened(bytes.toString())}`)
  }

  record(arrived: Arrived): void {
    this.records++
    const life = this.lifeOf(arrived.scope)
    if (arrived.eventName === 'sluice.records_dropped') return life.notice(arrived)
    const { attributes } = arrived
    const record = recordIn({ attributes })
    if (record === undefined || record.run !== arrived.scope)
      return this.complain(`a record was changed: ${shortened(JSON.stringify(arrived))}`)
    const { seq } = record
    const changed = changesOf(arrived, attributes as unknown as SoakAttributes)
    if (changed !== undefined) this.complain(`record ${seq} of ${record.run} has another ${changed}`)
    life.seq(seq)
  }

  /** Says what must not be. */
  complain(sentence: string): void {
    if (this.wrong.length < MOST_SENTENCES) this.wrong.push(sentence)
  }

  report(): ArrivalReport {
    const lives = Object.fromEntries(Array.from(this.lives, ([run, life]) => [run, life.counts()]))
    return { lives, torn: this.torn, tornLines: [...this.tornLines], records: this.records, wrong: [...this.wrong] }
  }

  private lifeOf(run: string): Life {
    let life = this.lives.get(run)
    if (life === undefined) this.lives.set(run, (life = new Life()))
    return life
  }
}

class Life {
  private readonly seqs = new SeqRanges()
  private readonly again = new SeqRanges()
  private readonly notices = new Map<string, number>()
  private late = 0

  seq(seq: number): void {
    const found = this.seqs.add(seq)
    if (found === 'known') this.again.add(seq)
    else if (found === 'late') this.late++
  }

  /** Notices have no number; one is on its way at a time, so no two of them are equal. */
  notice({ time, message, attributes }: Arrived): void {
    const key = `${time} ${message} ${JSON.stringify(attributes)}`
    this.notices.set(key, (this.notices.get(key) ?? 0) + 1)
  }

  counts(): ArrivalCounts {
    const noticesAgain = [...this.notices.values()].filter((times) => times > 1).length
    return {
      seqs: this.seqs.toJSON(),
      notices: this.notices.size,
      duplicates: this.again.size + noticesAgain,
      again: this.again.toJSON(),
      late: this.late,
    }
  }
}

/** What every line of ours begins with. */
const head = '{"timestamp":"'

interface Line {
  readonly timestamp: string
  readonly level: string
  readonly message: string
  readonly 'otel.scope.name': string
  readonly 'otel.event.name'?: string
  readonly attributes: Readonly<Record<string, unknown>>
}

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}

function arrivedLine(line: Line): Arrived {
  const { timestamp, level, message, attributes } = line
  return {
    scope: line['otel.scope.name'],
    level,
    message,
    eventName: line['otel.event.name'],
    time: timestamp,
    attributes: attributes ?? {},
  }
}

function changesOf({ level, message }: Arrived, attributes: SoakAttributes): string | undefined {
  const { seq, said, bulk, bulkLength } = attributes
  if (level !== said) return 'level'
  if (message !== arrivedMessage(seq)) return 'message'
  return bulkLength === undefined || isWhole(bulk ?? '', bulkLength) ? undefined : 'bulk'
}

/** A string that was cut says how much of it is missing. */
function isWhole(bulk: string, length: number): boolean {
  const [, kept, missing = '0'] = /^(y*)(?:…\[\+(\d+) characters\])?$/.exec(bulk) ?? []
  return kept !== undefined && kept.length + Number(missing) === length
}

function shortened(text: string): string {
  return text.length <= 250 ? text : `${text.slice(0, 180)} … ${text.slice(-60)}`
}
