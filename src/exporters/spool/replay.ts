import type { EncodedBatch } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import type { RetryTiming } from '../retry/retrying.ts'
import type { ReportDiagnostic } from './backlog.ts'
import type { DestinationAnswer, SpoolDestination } from './destination.ts'
import { hasChecksum, hasValidChecksum } from './checksum.ts'
import { readBatch, type ReadBatch } from './lines.ts'
import type { Piece } from './pieces.ts'
import type { SegmentReader } from './segment-reader.ts'
import type { Segment } from './segments.ts'
import type { SpoolStore } from './store.ts'
import { errorCode } from '../fd/write-errors.ts'

/** How often a batch is given to an exporter that fails, and does not say that its destination is away. */
const mostFailures = 10

/** A line that waits for an answer. */
interface Line {
  readonly segment: Segment
  /** Where it ends in the file. */
  readonly end: number
  /** What of it has no answer yet. */
  batch: EncodedBatch
  /** It may have arrived before. */
  inDoubt: boolean
  failures: number
}

/**
 * Gives what waits in files to the destination, in order, a line at a time. After a failure one line is a probe, and the
 * rest waits for its answer. What has an answer is noted in the file's name before the next line goes: a process that dies
 * in between makes one line arrive twice, and none get lost.
 */
export class SpoolReplay {
  private readonly store: SpoolStore
  private readonly destination: SpoolDestination
  private readonly timing: RetryTiming
  private readonly report: ReportDiagnostic
  private readonly mayRun: () => boolean
  private reader: { readonly segment: Segment; readonly pieces: SegmentReader } | undefined
  private line: Line | undefined
  private wait: Delay | undefined
  private running: Promise<void> | undefined
  private stopped = false
  /** Somebody called while it ran. */
  private again = false

  /** `mayRun`: no new batch is with the destination. */
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

  /** Something may be there to replay, or the destination is free again. */
  wake(): void {
    this.again = this.running !== undefined
    if (this.stopped || this.again || !this.mayRun() || this.store.isEmpty) return
    const { waitMillis } = this.destination
    this.wait?.cancel()
    this.wait = undefined
    if (waitMillis > 0) {
      this.wait = this.timing.delay(waitMillis, () => this.wake())
      return
    }
    this.running = this.run().finally(() => {
      this.running = undefined
      if (this.again || this.destination.waitMillis > 0) this.wake()
    })
  }

  /** The destination is needed by somebody who cannot wait. */
  recall(): void {
    if (this.line !== undefined && this.line.segment.inFlight > 0) this.destination.recall(this.line.batch, -Infinity)
  }

  /** Resolves when nothing is with the destination. */
  async stop(): Promise<void> {
    this.stopped = true
    this.wait?.cancel()
    this.destination.abort()
    await this.running
    this.close()
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const line = await this.next()
      if (line === undefined || this.stopped || !this.mayRun() || this.destination.waitMillis > 0) return
      line.segment.inFlight = line.batch.count
      const answer = await this.destination.send(line.batch, true)
      this.note(line, answer)
    }
  }

  private note(line: Line, answer: DestinationAnswer): void {
    const { segment } = line
    const { settled, inDoubt } = answer
    segment.inFlight = 0
    const refused = Math.min(settled, answer.rejected + answer.tooLarge)
    if (line.inDoubt) this.store.doubt(settled)
    else if (answer.maybeDuplicated > 0) this.store.doubt(Math.min(settled, answer.maybeDuplicated))
    this.store.settle(segment, { replayed: settled - refused, rejected: refused })
    this.store.left(segment)
    if (refused > 0) {
      this.report(
        'SLUICE_SPOOL_LOST',
        `${refused} records are lost: they waited, and then ${this.destination.exporter.name} refused them`,
      )
    }
    line.inDoubt ||= inDoubt
    line.failures = answer.failed ? line.failures + 1 : 0
    if (settled < line.batch.count) {
      line.batch = line.batch.slice(settled)
      if (line.failures < mostFailures) return
      const records = line.batch.count
      this.store.settle(segment, { rejected: records })
      this.report(
        'SLUICE_SPOOL_LOST',
        `${records} records are lost: ${this.destination.exporter.name} fails at them each time`,
      )
    }
    this.line = undefined
    this.store.passed(segment, line.end)
  }

  /** The line that is next; undefined where there is none for now. */
  private async next(): Promise<Line | undefined> {
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

  /** Reads on to a line with records; undefined where the file has none any more. */
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

  /** Reads the records of a piece; what is damaged in it is set aside. */
  private readPiece(segment: Segment, piece: Piece): ReadBatch | undefined {
    if (piece.kind === 'line' && (segment.checked || hasChecksum(piece.bytes)) && !hasValidChecksum(piece.bytes)) {
      this.store.setAsideMismatch(segment, piece)
      return undefined
    }
    const read = piece.kind === 'line' ? readBatch(piece.bytes) : undefined
    if (read === undefined || read.damaged > 0) this.store.setAside(segment, piece)
    return read
  }

  private close(): void {
    this.reader?.pieces.close()
    this.reader = undefined
  }
}
