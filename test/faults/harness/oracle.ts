import { recordIn } from './records.ts'

/** What somebody outside of the logging processes finds in a sink. */
export interface Found {
  /** The numbers of each process's records in the order of the sink, those that are there twice included. */
  readonly seqs: ReadonlyMap<number, readonly number[]>
  /** Lines that are neither a record of the run nor a notice of losses: torn, or put together from two. */
  readonly torn: readonly string[]
  /** How many records each notice of losses tells, in the order of the sink. */
  readonly notices: readonly number[]
  /** The same with the reasons, and how many records stand in front of each. */
  readonly losses: readonly ToldLoss[]
}

/** A notice of losses. */
export interface ToldLoss {
  readonly dropped: number
  readonly byReason: Readonly<Record<string, number>>
  readonly behind: number
}

/** Reads a sink's text. An empty line is none: it ends one that was given up. */
export function readSink(text: string, run: string): Found {
  const seqs = new Map<number, number[]>()
  const torn: string[] = []
  const losses: ToldLoss[] = []
  let records = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const value = parsed(line)
    const record = recordIn(value)
    if (record?.run === run) {
      records++
      const known = seqs.get(record.pid)
      if (known === undefined) seqs.set(record.pid, [record.seq])
      else known.push(record.seq)
    } else if (isNotice(value)) {
      const { dropped, by_reason: byReason } = value.attributes
      losses.push({ dropped, byReason, behind: records })
    } else torn.push(line)
  }
  return { seqs, torn, losses, notices: losses.map(({ dropped }) => dropped) }
}

/** What the records of one process in a sink come to. */
export interface Tally {
  /** Different records. */
  readonly unique: number
  /** Records that are there once more than once. */
  readonly duplicates: number
  /** Records that stand behind a later one, each for the first time. */
  readonly disorder: number
}

/** Counts one process's records. */
export function tally(found: Found, pid: number): Tally {
  const seen = new Set<number>()
  let duplicates = 0
  let disorder = 0
  let last = -1
  for (const seq of found.seqs.get(pid) ?? []) {
    if (seen.has(seq)) {
      duplicates++
      continue
    }
    seen.add(seq)
    if (seq < last) disorder++
    last = Math.max(last, seq)
  }
  return { unique: seen.size, duplicates, disorder }
}

/** What a process says became of its records; notices of losses are records of it too. */
export interface ToldLedger {
  readonly emitted: number
  readonly accepted: number
  readonly filtered: number
  readonly written: number
  readonly queued: number
  readonly unknown: number
  readonly maybeDuplicated: number
  readonly dropped: { readonly total: number; readonly byReason: Readonly<Record<string, number>> }
}

/**
 * Compares a sink with what the processes that wrote to it say, and lists all that does not agree: sums that do not add up,
 * records that are missing or were never called written, doubled ones that nobody counted, disorder. `torn`: how many torn
 * lines the fault explains; default 0.
 */
export function disagreements(found: Found, ledgers: ReadonlyMap<number, ToldLedger>, torn = 0): string[] {
  const wrong: string[] = []
  let records = 0
  let written = 0
  let unknown = 0
  for (const [pid, ledger] of ledgers) {
    wrong.push(...brokenSums(ledger).map((sum) => `${pid}: ${sum}`))
    const { unique, duplicates, disorder } = tally(found, pid)
    records += unique
    written += ledger.written
    unknown += ledger.unknown
    if (duplicates > ledger.maybeDuplicated)
      wrong.push(`${pid}: ${duplicates} doubled, ${ledger.maybeDuplicated} counted`)
    if (disorder > 0) wrong.push(`${pid}: ${disorder} out of order`)
  }
  for (const pid of found.seqs.keys()) if (!ledgers.has(pid)) wrong.push(`${pid}: nobody knows this process`)
  const there = records + found.notices.length
  if (there < written) wrong.push(`${written - there} are missing of ${written} that were called written`)
  if (there > written + unknown) wrong.push(`${there - written - unknown} more are there than were called written`)
  if (found.torn.length > torn) wrong.push(`${found.torn.length} torn lines, such as ${found.torn[0]!.slice(0, 200)}`)
  return wrong
}

/** The sums of the ledger that do not hold. */
export function brokenSums(ledger: ToldLedger): string[] {
  const { emitted, accepted, filtered, written, queued, unknown, dropped } = ledger
  const reasons = Object.values(dropped.byReason).reduce((sum, count) => sum + count, 0)
  return [
    ...(emitted === accepted + filtered ? [] : [`emitted ${emitted} is not ${accepted} + ${filtered}`]),
    ...(accepted === written + queued + unknown + dropped.total
      ? []
      : [`accepted ${accepted} is not ${written} + ${queued} + ${unknown} + ${dropped.total}`]),
    ...(reasons === dropped.total ? [] : [`dropped ${dropped.total} is not the sum of its reasons, ${reasons}`]),
  ]
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

interface Notice {
  readonly attributes: { readonly dropped: number; readonly by_reason: Readonly<Record<string, number>> }
}

function isNotice(line: unknown): line is Notice {
  return (line as { 'otel.event.name'?: unknown } | undefined)?.['otel.event.name'] === 'sluice.records_dropped'
}
