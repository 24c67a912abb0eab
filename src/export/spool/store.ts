import { SpoolBacklog, type Settled, type Tell } from './backlog.ts'
import { movedIn } from './adoption.ts'
import { directoryMode, type SpoolFiles } from './files.ts'
import { SpoolIntake, type IntakeLimits, type Kept } from './intake.ts'
import type { SpoolLine } from './lines.ts'
import { SpoolOwner, type Abandoned } from './owner.ts'
import { parseSegmentName } from './names.ts'
import type { Piece } from './pieces.ts'
import { SegmentReader } from './segment-reader.ts'
import type { Segment } from './segments.ts'
import { setAside } from './set-aside.ts'
import type { SpoolStats } from './stats.ts'
import { errorCode } from '../write/write-errors.ts'
import { makeDirectory } from '../write/make-directory.ts'

/** What is set aside may take this share of what may wait. */
const setAsideShare = 8

/** So many pieces of a file are kept; somebody who has made more of them has not lost anything. */
const mostSetAside = 32

/** The files of a spool: what comes in, what waits, and what is found of others that have ended. */
export class SpoolStore {
  private readonly files: SpoolFiles
  private readonly limits: IntakeLimits
  private readonly tell: Tell
  private readonly owner: SpoolOwner
  private readonly backlog: SpoolBacklog
  private readonly intake: SpoolIntake

  constructor(files: SpoolFiles, base: string, limits: IntakeLimits, tell: Tell) {
    this.files = files
    this.limits = limits
    this.tell = tell
    this.owner = new SpoolOwner(files, base)
    this.backlog = new SpoolBacklog(files, tell)
    this.intake = new SpoolIntake(files, this.owner, this.backlog, limits, tell)
  }

  /** Nothing waits, and nothing is about to. */
  get isEmpty(): boolean {
    return this.backlog.length === 0 && this.intake.records === 0 && !this.intake.isBusy
  }

  /** The disk does not keep up: no call may wait for it. */
  get isSlow(): boolean {
    return this.intake.isSlow
  }

  get stats(): SpoolStats {
    const { backlog, intake } = this
    return {
      ...backlog.counts,
      waiting: backlog.waiting + intake.records,
      segments: backlog.length + (intake.bytes > 0 ? 1 : 0),
      bytes: backlog.bytes + intake.bytes,
    }
  }

  /** Makes the directory where it is missing, and takes over what waits there for nobody. Never throws. */
  open(): void {
    try {
      makeDirectory(this.owner.base, directoryMode, this.files)
    } catch (error) {
      this.trouble('make its directory', error)
      return
    }
    this.adopt()
  }

  /** Takes over what owners have left behind that are gone, as far as there is room for it. Never throws. */
  adopt(): void {
    let adopted = 0
    try {
      for (const abandoned of this.owner.abandoned()) {
        if (!this.hasRoomFor(abandoned)) continue
        const claimed = this.owner.claim(abandoned)
        if (claimed !== undefined) adopted += this.moveIn(claimed)
      }
    } catch (error) {
      // Before its first record a spool has no directory.
      if (errorCode(error) !== 'ENOENT') this.trouble('take over what was left behind', error)
    }
    if (adopted > 0) this.expire()
  }

  /** Shows that this process is alive, and drops what is too old. Never throws. */
  beat(): void {
    this.owner.beat()
    this.expire()
  }

  /** See `SpoolIntake.write`. */
  write(line: SpoolLine, taken: (kept: Kept) => void): Promise<void> {
    return this.intake.write(line, taken)
  }

  /** See `SpoolIntake.writeSync`. */
  writeSync(line: SpoolLine, taken: (kept: Kept) => void): void {
    this.intake.writeSync(line, taken)
  }

  /** See `SpoolIntake.settleSync`. */
  settleSync(): void {
    this.intake.settleSync()
  }

  /** The oldest file that waits; undefined where there is none, or what there is is being written. */
  head(): Segment | undefined {
    this.expire()
    if (this.backlog.length === 0) this.intake.seal()
    return this.backlog.head
  }

  /** Opens a file that waits; undefined where that cannot be, which is counted and told. */
  reader(segment: Segment): SegmentReader | undefined {
    try {
      const reader = new SegmentReader(this.files, segment.path, segment.from)
      segment.size = Math.max(segment.size, reader.size)
      return reader
    } catch {
      this.backlog.lose(segment)
      return undefined
    }
  }

  /** See `SpoolBacklog.lose`. */
  lose(segment: Segment): void {
    if (!segment.gone) this.backlog.lose(segment)
  }

  /** See `SpoolBacklog.settle`. */
  settle(segment: Segment, settled: Settled): void {
    this.backlog.settle(segment, settled)
  }

  /** See `SpoolBacklog.passed`. */
  passed(segment: Segment, end: number): void {
    this.backlog.passed(segment, end)
  }

  /** See `SpoolBacklog.finish`. */
  finish(segment: Segment): void {
    if (!segment.gone) this.backlog.finish(segment)
  }

  /** See `SpoolBacklog.left`. */
  left(segment: Segment): void {
    if (segment.gone) this.backlog.left(segment)
  }

  /** Counts records that may have arrived twice. */
  doubt(records: number): void {
    this.backlog.counts.maybeDuplicated += records
  }

  /** Keeps a piece that cannot be read, in whole or in part, where it does not stand in the way. */
  setAside(segment: Segment, { bytes, end }: Piece): void {
    this.backlog.counts.setAside++
    segment.setAside++
    if (segment.setAside > mostSetAside) return
    const { sequence, writtenAt } = segment
    const name = `${Math.floor(writtenAt)}-${sequence}-${end}`
    setAside(this.files, this.owner.base, name, bytes, this.limits.maxBytes / setAsideShare)
    this.tell('SLUICE_SPOOL_DAMAGED', 'a piece of a file of the spool cannot be read, and was set aside')
  }

  /** Puts what was written onto the disk, where that was asked for. Never rejects. */
  flush(): Promise<void> {
    return this.intake.flush()
  }

  /** Leaves what waits to whoever comes. */
  async close(): Promise<void> {
    this.intake.seal()
    await this.intake.flush()
    this.owner.release()
  }

  private expire(): void {
    const now = Date.now()
    this.intake.sealOlder(now)
    let dropped = 0
    for (let { head } = this.backlog; head !== undefined; { head } = this.backlog) {
      if (!(now - head.writtenAt > this.limits.maxAgeMillis)) break
      dropped += this.backlog.drop(head, 'expired')
    }
    if (dropped > 0) this.tell('SLUICE_SPOOL_LOST', `${dropped} records are lost: they waited longer than maxAgeMillis`)
  }

  /** One is taken in any case: nobody else may ever have more room. */
  private hasRoomFor({ bytes }: Abandoned): boolean {
    const { stats } = this
    return stats.bytes === 0 || stats.bytes + bytes <= this.limits.maxBytes
  }

  /** Returns how many files came in. */
  private moveIn(claimed: string): number {
    const { backlog } = this
    const names = this.files.readdirSync(claimed)
    let count = 0
    if (names.some((name) => parseSegmentName(name) !== undefined)) {
      for (const segment of movedIn(this.files, claimed, this.owner.own(), () => ++this.intake.sequence)) {
        backlog.add(segment)
        backlog.counts.spooled += segment.records
        backlog.counts.adopted += segment.records
        count++
      }
    }
    this.owner.remove(claimed)
    return count
  }

  private trouble(what: string, error: unknown): void {
    this.tell('SLUICE_SPOOL_FAILED', `the spool cannot ${what} (${errorCode(error)})`)
  }
}
