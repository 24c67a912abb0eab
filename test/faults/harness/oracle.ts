import { recordIn } from './records.ts'

/** What a reader outside the logging processes finds in a sink. */
export interface SinkContents {
  /** The sequence numbers of each process in the order of the sink, including duplicates. */
  readonly sequences: ReadonlyMap<number, readonly number[]>
  /** Lines that are neither a record of the run nor a drop report: torn, or a mixture of two lines. */
  readonly torn: readonly string[]
  /** The number of dropped records in each drop report, in the order of the sink. */
  readonly reportedDrops: readonly number[]
  /** The drop reports, in the order of the sink. */
  readonly dropReports: readonly DropReport[]
}

/** A drop report. */
export interface DropReport {
  readonly dropped: number
  readonly byReason: Readonly<Record<string, number>>
  /** The number of records that precede it in the sink. */
  readonly recordsBefore: number
}

/** Parses the text of a sink. Empty lines are ignored: one ends a line that was abandoned. */
export function readSink(text: string, run: string): SinkContents {
  const sequences = new Map<number, number[]>()
  const torn: string[] = []
  const dropReports: DropReport[] = []
  let records = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const value = parsed(line)
    const record = recordIn(value)
    if (record?.run === run) {
      records++
      const known = sequences.get(record.pid)
      if (known === undefined) sequences.set(record.pid, [record.seq])
      else known.push(record.seq)
    } else if (isDropReport(value)) {
      const { dropped, by_reason: byReason } = value.attributes
      dropReports.push({ dropped, byReason, recordsBefore: records })
    } else torn.push(line)
  }
  return { sequences, torn, dropReports, reportedDrops: dropReports.map(({ dropped }) => dropped) }
}

/** Counts of the records of one process in a sink. */
export interface SequenceCounts {
  /** The number of distinct records. */
  readonly unique: number
  /** The number of repetitions of records. */
  readonly duplicates: number
  /** The number of distinct records that follow a later record. */
  readonly disorder: number
}

/** Counts the records of one process. */
export function countSequence(contents: SinkContents, pid: number): SequenceCounts {
  const seen = new Set<number>()
  let duplicates = 0
  let disorder = 0
  let last = -1
  for (const seq of contents.sequences.get(pid) ?? []) {
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

/** The delivery statistics that a process reports. They include its drop reports. */
export interface ReportedStats {
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
 * Compares a sink with the statistics of the processes that wrote to it, and lists the mismatches: inconsistent sums, missing
 * records, records that were not counted as written, uncounted duplicates, disorder.
 * @param torn - how many torn lines the fault explains
 */
export function findMismatches(
  contents: SinkContents,
  statsByProcess: ReadonlyMap<number, ReportedStats>,
  torn = 0,
): string[] {
  const wrong: string[] = []
  let records = 0
  let written = 0
  let unknown = 0
  for (const [pid, stats] of statsByProcess) {
    wrong.push(...inconsistentSums(stats).map((sum) => `${pid}: ${sum}`))
    const { unique, duplicates, disorder } = countSequence(contents, pid)
    records += unique
    written += stats.written
    unknown += stats.unknown
    if (duplicates > stats.maybeDuplicated)
      wrong.push(`${pid}: ${duplicates} duplicates, ${stats.maybeDuplicated} counted`)
    if (disorder > 0) wrong.push(`${pid}: ${disorder} out of order`)
  }
  for (const pid of contents.sequences.keys())
    if (!statsByProcess.has(pid)) wrong.push(`${pid}: no statistics of this process`)
  const found = records + contents.reportedDrops.length
  if (found < written) wrong.push(`${written - found} of ${written} written records are missing`)
  if (found > written + unknown) wrong.push(`${found - written - unknown} more records than were counted as written`)
  if (contents.torn.length > torn)
    wrong.push(`${contents.torn.length} torn lines, such as ${contents.torn[0]!.slice(0, 200)}`)
  return wrong
}

/** Returns the sums in the statistics that are wrong. */
export function inconsistentSums(stats: ReportedStats): string[] {
  const { emitted, accepted, filtered, written, queued, unknown, dropped } = stats
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

interface DropReportLine {
  readonly attributes: { readonly dropped: number; readonly by_reason: Readonly<Record<string, number>> }
}

function isDropReport(line: unknown): line is DropReportLine {
  return (line as { 'otel.event.name'?: unknown } | undefined)?.['otel.event.name'] === 'sluice.records_dropped'
}
