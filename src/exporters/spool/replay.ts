import type { EncodedBatch } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import type { RetryTiming } from '../retry/retry-options.ts'
import type { ReportDiagnostic } from './backlog.ts'
import type { DestinationResult, SpoolDestination } from './destination.ts'
import { hasChecksum, hasValidChecksum } from './checksum.ts'
import { readBatch, type ReadBatch } from './lines.ts'
import type { FilePiece } from './pieces.ts'
import type { SegmentReader } from './segment-reader.ts'
import type { Segment } from './segments.ts'
import type { SpoolStore } from './store.ts'
import { errorCode } from '../fd/write-errors.ts'

/** How many times a batch is sent to an exporter that fails without reporting that its destination is unavailable. */
const maxFailures = 10

/** A line that waits for an answer. */
interface Line {
  readonly segment: Segment
  /** Where the line ends in the file. */
  readonly end: number
  /** The records of the line that are not settled. */
  batch: EncodedBatch
  /** Whether the line may have arrived before. */
  inDoubt: boolean
  failures: number
}

/**
 * Sends queued records from files to the destination, in order, one line at a time. After a failure a single line is sent as a
 * probe. Settled records are noted in the file's name before the next line is sent, so a process that dies in between
 * duplicates at most one line and loses none.
 */
export class SpoolReplay {
  private readonly store: SpoolStore
  private readonly destination: SpoolDestination
  private readonly timing: RetryTiming
  private readonly report: ReportDiagnostic
  private readonly mayRun: () => boolean
  private reader: { readonly segment: Segment; readonly pieces: SegmentReader } | undefined
  private line: Line | undefined
  private retryTimer: Delay | undefined
  private currentRun: Promise<void> | undefined
  private isStopped = false
  /** Whether `wake` was called during a run. */
  private wakeAgain = false

  /** @param mayRun - Returns whether the destination has no new batch. */
  constructor(
    store: SpoolStore,
    destination: SpoolDestination,
    timing: RetryTiming,
    report: ReportDiagnostic,
    mayRun: () => boolean,
  ) {
    this.store = store
    this.destination = destination
    this.timing = timing
    this.report = report
    this.mayRun = mayRun
  }

  /** Starts the replay if there may be something to replay and the destination is available. */
  wake(): void {
    this.wakeAgain = this.currentRun !== undefined
    if (this.isStopped || this.wakeAgain || !this.mayRun() || this.store.isEmpty) return
    const { waitMillis } = this.destination
    this.retryTimer?.cancel()
    this.retryTimer = undefined
    if (waitMillis > 0) {
      this.retryTimer = this.timing.delay(waitMillis, () => this.wake())
      return
    }
    this.currentRun = this.run().finally(() => {
      this.currentRun = undefined
      if (this.wakeAgain || this.destination.waitMillis > 0) this.wake()
    })
  }

  /** Takes back the batch in flight, because a caller that cannot wait needs the destination. */
  recall(): void {
    if (this.line !== undefined && this.line.segment.inFlight > 0) this.destination.recall(this.line.batch, -Infinity)
  }

  /** Stops the replay. Resolves when no batch is in flight. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.retryTimer?.cancel()
    this.destination.abort()
    await this.currentRun
    this.close()
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const line = await this.nextLine()
      if (line === undefined || this.isStopped || !this.mayRun() || this.destination.waitMillis > 0) return
      line.segment.inFlight = line.batch.count
      const answer = await this.destination.send(line.batch, true)
      this.recordResult(line, answer)
    }
  }

  private recordResult(line: Line, answer: DestinationResult): void {
    const { segment } = line
    const { settled, inDoubt } = answer
    segment.inFlight = 0
    const refused = Math.min(settled, answer.rejected + answer.tooLarge)
    if (line.inDoubt) this.store.doubt(settled)
    else if (answer.maybeDuplicated > 0) this.store.doubt(Math.min(settled, answer.maybeDuplicated))
    this.store.settle(segment, { replayed: settled - refused, rejected: refused })
    this.store.left(segment)
    if (refused > 0) {
      this.report('SLUICE_SPOOL_LOST', `${refused} records are lost: ${this.destination.exporter.name} rejected them`)
    }
    line.inDoubt ||= inDoubt
    line.failures = answer.failed ? line.failures + 1 : 0
    if (settled < line.batch.count) {
      line.batch = line.batch.slice(settled)
      if (line.failures < maxFailures) return
      const records = line.batch.count
      this.store.settle(segment, { rejected: records })
      this.report(
        'SLUICE_SPOOL_LOST',
        `${records} records are lost: ${this.destination.exporter.name} failed each time they were sent`,
      )
    }
    this.line = undefined
    this.store.passed(segment, line.end)
  }

  /** Returns the next line, or undefined if there is none at the moment. */
  private async nextLine(): Promise<Line | undefined> {
    for (;;) {
      const segment = this.store.head()
      if (this.line !== undefined && this.line.segment === segment) return this.line
      this.line = undefined
      if (segment === undefined) return undefined
      const pieces = this.readerOf(segment)
      if (pieces === undefined) continue
      this.line = await this.read(segment, pieces)
    }
  }

  private readerOf(segment: Segment): SegmentReader | undefined {
    if (this.reader?.segment === segment) return this.reader.pieces
    this.close()
    const pieces = this.store.reader(segment)
    if (pieces !== undefined) this.reader = { segment, pieces }
    return pieces
  }

  /** Reads up to the next line with records. Returns undefined if the file has no more. */
  private async read(segment: Segment, pieces: SegmentReader): Promise<Line | undefined> {
    try {
      for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
        if (segment.gone) return undefined
        const read = this.readPiece(segment, piece)
        if (read !== undefined) this.store.settle(segment, { corrupt: read.damaged })
        if (read?.batch !== undefined) {
          return { segment, end: piece.end, batch: read.batch, inDoubt: false, failures: 0 }
        }
      }
      this.store.finish(segment)
    } catch (error) {
      this.report('SLUICE_SPOOL_FAILED', `the spool cannot read a file (${errorCode(error)})`)
      this.store.lose(segment)
    }
    return undefined
  }

  /** Parses the records of a piece. Damaged data is quarantined. */
  private readPiece(segment: Segment, piece: FilePiece): ReadBatch | undefined {
    if (piece.kind === 'line' && (segment.checked || hasChecksum(piece.bytes)) && !hasValidChecksum(piece.bytes)) {
      this.store.quarantineMismatch(segment, piece)
      return undefined
    }
    const read = piece.kind === 'line' ? readBatch(piece.bytes) : undefined
    if (read === undefined || read.damaged > 0) this.store.quarantine(segment, piece)
    return read
  }

  private close(): void {
    this.reader?.pieces.close()
    this.reader = undefined
  }
}
