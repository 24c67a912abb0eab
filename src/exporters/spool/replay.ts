import { lostRecordsText } from '../../options/counted.ts'
import type { EncodedBatch } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import type { RetryTiming } from '../retry/retry-options.ts'
import type { ReportDiagnostic } from './backlog.ts'
import type { DestinationResult, SpoolDestination } from './destination.ts'
import { hasChecksum, hasValidChecksum } from './checksum.ts'
import { parseLine, type ParsedLine } from './lines.ts'
import type { FilePiece } from './pieces.ts'
import type { SegmentReader } from './segment-reader.ts'
import type { Segment } from './segments.ts'
import type { SpoolStore } from './store.ts'
import { errorCode } from '../fd/write-errors.ts'

/** The number of consecutive failures of the exporter itself (see `isExporterFailure`) after which a line is dropped. */
const maxFailures = 10

/** A line of a file that is being sent, or is sent again later. */
interface ReplayedLine {
  readonly segment: Segment
  /** Where the line ends in the file, in bytes. */
  readonly end: number
  /** The records of the line that are not settled. */
  batch: EncodedBatch
  /** Whether the records may have arrived in an earlier attempt that got no response. */
  mayHaveArrived: boolean
  /** The number of consecutive failures of the exporter itself. */
  failures: number
}

/**
 * Sends the records in the files to the destination, in order, one line at a time. After a failure, the same line is sent again
 * once the delay of the destination is over. That a line is settled is recorded in the file's name before the next line is sent,
 * so if the process ends in between, at most one line is sent twice and none is lost.
 */
export class SpoolReplay {
  private readonly store: SpoolStore
  private readonly destination: SpoolDestination
  private readonly timing: RetryTiming
  private readonly report: ReportDiagnostic
  private readonly mayReplay: () => boolean
  /** The file that is being read. */
  private openFile: { readonly segment: Segment; readonly reader: SegmentReader } | undefined
  private line: ReplayedLine | undefined
  private retryTimer: Delay | undefined
  /** The `sendLines` call in progress. */
  private sending: Promise<void> | undefined
  private isStopped = false
  /** Whether `wake` was called while lines were being sent, so that it must be called again after them. */
  private mustWakeAgain = false

  /** @param mayReplay - Returns false while the destination has a batch that was sent directly, not from a file. */
  constructor(
    store: SpoolStore,
    destination: SpoolDestination,
    timing: RetryTiming,
    report: ReportDiagnostic,
    mayReplay: () => boolean,
  ) {
    this.store = store
    this.destination = destination
    this.timing = timing
    this.report = report
    this.mayReplay = mayReplay
  }

  /** Starts the replay if the files have records and the destination is available, or schedules it for when the delay is over. */
  wake(): void {
    this.mustWakeAgain = this.sending !== undefined
    if (this.isStopped || this.mustWakeAgain || !this.mayReplay() || this.store.isEmpty) return
    const { waitMillis } = this.destination
    this.retryTimer?.cancel()
    this.retryTimer = undefined
    if (waitMillis > 0) {
      this.retryTimer = this.timing.delay(waitMillis, () => this.wake())
      return
    }
    this.sending = this.sendLines().finally(() => {
      this.sending = undefined
      if (this.mustWakeAgain || this.destination.waitMillis > 0) this.wake()
    })
  }

  /** Ends the export of the line in flight at process exit, so that the destination is free. The line stays in its file. */
  finishLineSync(): void {
    // The deadline is in the past, so that it does not wait.
    if (this.line !== undefined && this.line.segment.recordsInFlight > 0)
      this.destination.finishSync(this.line.batch, -Infinity)
  }

  /** Stops the replay. Resolves when no batch is in flight. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.retryTimer?.cancel()
    this.destination.abort()
    await this.sending
    this.closeFile()
  }

  /** Sends lines until all are sent, or the destination must not be used at the moment. */
  private async sendLines(): Promise<void> {
    while (!this.isStopped) {
      const line = await this.nextLine()
      if (line === undefined || this.isStopped || !this.mayReplay() || this.destination.waitMillis > 0) return
      line.segment.recordsInFlight = line.batch.count
      const result = await this.destination.send(line.batch, true)
      this.recordResult(line, result)
    }
  }

  private recordResult(line: ReplayedLine, result: DestinationResult): void {
    const { segment } = line
    const { settled, isOutcomeUnknown } = result
    segment.recordsInFlight = 0
    const refused = Math.min(settled, result.rejected + result.tooLarge)
    if (line.mayHaveArrived) this.store.countMaybeDuplicated(settled)
    else if (result.maybeDuplicated > 0) this.store.countMaybeDuplicated(Math.min(settled, result.maybeDuplicated))
    this.store.settle(segment, { accepted: settled - refused, rejected: refused })
    this.store.countDroppedRecords(segment)
    if (refused > 0) {
      this.report('SLUICE_SPOOL_LOST', `${lostRecordsText(refused)}: rejected by ${this.destination.exporter.name}`)
    }
    line.mayHaveArrived ||= isOutcomeUnknown
    line.failures = result.isExporterFailure ? line.failures + 1 : 0
    if (settled < line.batch.count) {
      line.batch = line.batch.slice(settled)
      if (line.failures < maxFailures) return
      const records = line.batch.count
      this.store.settle(segment, { rejected: records })
      this.report(
        'SLUICE_SPOOL_LOST',
        `${lostRecordsText(records)}: ${this.destination.exporter.name} failed at each attempt`,
      )
    }
    this.line = undefined
    this.store.advanceTo(segment, line.end)
  }

  /** Returns the line that is not settled yet, or else reads the next one. Returns undefined if no line can be read at the moment. */
  private async nextLine(): Promise<ReplayedLine | undefined> {
    for (;;) {
      const segment = this.store.head()
      if (this.line !== undefined && this.line.segment === segment) return this.line
      this.line = undefined
      if (segment === undefined) return undefined
      const reader = this.readerFor(segment)
      if (reader === undefined) continue
      this.line = await this.readLine(segment, reader)
    }
  }

  private readerFor(segment: Segment): SegmentReader | undefined {
    if (this.openFile?.segment === segment) return this.openFile.reader
    this.closeFile()
    const reader = this.store.openReader(segment)
    if (reader !== undefined) this.openFile = { segment, reader }
    return reader
  }

  /**
   * Reads up to the next line with valid records. Returns undefined if the segment was removed meanwhile, at the end of its file, or
   * if reading fails, which is reported. In these cases the segment is no longer queued.
   */
  private async readLine(segment: Segment, reader: SegmentReader): Promise<ReplayedLine | undefined> {
    try {
      for (let piece = await reader.next(); piece !== undefined; piece = await reader.next()) {
        if (segment.isGone) return undefined
        const parsed = this.parsePiece(segment, piece)
        if (parsed !== undefined) this.store.settle(segment, { corrupt: parsed.damagedRecords })
        if (parsed?.batch !== undefined) {
          return { segment, end: piece.end, batch: parsed.batch, mayHaveArrived: false, failures: 0 }
        }
      }
      this.store.finish(segment)
    } catch (error) {
      this.report('SLUICE_SPOOL_FAILED', `the spool cannot read a file (${errorCode(error)})`)
      this.store.lose(segment)
    }
    return undefined
  }

  /** Parses the records of a piece. Damaged data is quarantined. Returns undefined if the piece is not a valid line. */
  private parsePiece(segment: Segment, piece: FilePiece): ParsedLine | undefined {
    if (piece.kind === 'line' && (segment.hasChecksums || hasChecksum(piece.bytes)) && !hasValidChecksum(piece.bytes)) {
      this.store.quarantineMismatch(segment, piece)
      return undefined
    }
    const parsed = piece.kind === 'line' ? parseLine(piece.bytes) : undefined
    if (parsed === undefined || parsed.damagedRecords > 0) this.store.quarantine(segment, piece)
    return parsed
  }

  private closeFile(): void {
    this.openFile?.reader.close()
    this.openFile = undefined
  }
}
