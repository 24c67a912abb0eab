import { recordIn } from '../faults/harness/records.ts'
import { arrivedMessage, canary, type SoakAttributes } from './records.ts'
import { SeqRanges } from './seq-ranges.ts'

/** A record that arrived at a destination, independent of its format. */
export interface Arrived {
  /** The name of its logger, which identifies the process run. */
  readonly scope: string
  readonly level: string
  readonly message: string
  readonly eventName: string | undefined
  /** The timestamp as text, which distinguishes drop reports. */
  readonly time: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Counts of the records of one run at one destination. */
export interface ArrivalCounts {
  readonly sequences: readonly (readonly [number, number])[]
  /** The number of distinct drop reports. */
  readonly dropReports: number
  /** The number of records that arrived more than once. */
  readonly duplicates: number
  /** The sequence numbers of the duplicates that are not drop reports. */
  readonly repeated: readonly (readonly [number, number])[]
  /** The number of records that arrived after a later one. */
  readonly late: number
}

/** All records at one destination. */
export interface ArrivalReport {
  readonly runs: Readonly<Record<string, ArrivalCounts>>
  /** The number of torn lines. */
  readonly torn: number
  /** The first torn lines. */
  readonly tornLines: readonly string[]
  readonly records: number
  /** Errors, as sentences. */
  readonly wrong: readonly string[]
}

const MAX_ERRORS = 5

/** Checks and counts the records that arrive at a destination, without keeping them. */
export class Arrivals {
  private readonly runs = new Map<string, RunArrivals>()
  private readonly wrong: string[] = []
  private torn = 0
  private readonly tornLines: string[] = []
  private records = 0

  /** Adds a line without its line feed. An empty line is ignored: it ends an abandoned line. */
  line(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.search(bytes)
    const text = bytes.toString()
    const value = parsed(text)
    if (value !== undefined) return this.record(arrivedLine(value))
    this.torn++
    if (this.tornLines.length < MAX_ERRORS) this.tornLines.push(shortened(text))
    // A torn line is the beginning of a line, and nothing follows it.
    if (!text.startsWith(head.slice(0, text.length)) || text.includes(head, 1))
      this.addError(`a line is a mixture: ${shortened(text)}`)
  }

  /** Searches raw bytes for secrets. */
  search(bytes: Buffer): void {
    if (bytes.includes(canary)) this.addError(`a secret was found: ${shortened(bytes.toString())}`)
  }

  record(arrived: Arrived): void {
    this.records++
    const arrivals = this.runOf(arrived.scope)
    if (arrived.eventName === 'sluice.records_dropped') return arrivals.addDropReport(arrived)
    const { attributes } = arrived
    const record = recordIn({ attributes })
    if (record === undefined || record.run !== arrived.scope)
      return this.addError(`a record was changed: ${shortened(JSON.stringify(arrived))}`)
    const { seq } = record
    const changed = changesOf(arrived, attributes as unknown as SoakAttributes)
    if (changed !== undefined) this.addError(`record ${seq} of ${record.run} has another ${changed}`)
    arrivals.addRecord(seq)
  }

  /** Adds an error. */
  addError(sentence: string): void {
    if (this.wrong.length < MAX_ERRORS) this.wrong.push(sentence)
  }

  report(): ArrivalReport {
    const runs = Object.fromEntries(Array.from(this.runs, ([run, arrivals]) => [run, arrivals.counts()]))
    return { runs, torn: this.torn, tornLines: [...this.tornLines], records: this.records, wrong: [...this.wrong] }
  }

  private runOf(run: string): RunArrivals {
    let arrivals = this.runs.get(run)
    if (arrivals === undefined) this.runs.set(run, (arrivals = new RunArrivals()))
    return arrivals
  }
}

class RunArrivals {
  private readonly ranges = new SeqRanges()
  private readonly repeated = new SeqRanges()
  private readonly dropReports = new Map<string, number>()
  private late = 0

  addRecord(seq: number): void {
    const found = this.ranges.add(seq)
    if (found === 'known') this.repeated.add(seq)
    else if (found === 'late') this.late++
  }

  /** Drop reports have no sequence number. At most one is in flight, so no two of them are equal. */
  addDropReport({ time, message, attributes }: Arrived): void {
    const key = `${time} ${message} ${JSON.stringify(attributes)}`
    this.dropReports.set(key, (this.dropReports.get(key) ?? 0) + 1)
  }

  counts(): ArrivalCounts {
    const repeatedReports = [...this.dropReports.values()].filter((times) => times > 1).length
    return {
      sequences: this.ranges.toJSON(),
      dropReports: this.dropReports.size,
      duplicates: this.repeated.size + repeatedReports,
      repeated: this.repeated.toJSON(),
      late: this.late,
    }
  }
}

/** The beginning of every line. */
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
  const { seq, loggedLevel, bulk, bulkLength } = attributes
  if (level !== loggedLevel) return 'level'
  if (message !== arrivedMessage(seq)) return 'message'
  return bulkLength === undefined || isWhole(bulk ?? '', bulkLength) ? undefined : 'bulk'
}

/** A truncated string states how much is missing. */
function isWhole(bulk: string, length: number): boolean {
  const [, kept, missing = '0'] = /^(y*)(?:…\[\+(\d+) characters\])?$/.exec(bulk) ?? []
  return kept !== undefined && kept.length + Number(missing) === length
}

function shortened(text: string): string {
  return text.length <= 250 ? text : `${text.slice(0, 180)} … ${text.slice(-60)}`
}
