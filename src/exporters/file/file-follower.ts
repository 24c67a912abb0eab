import { fstatSync, statSync, type Stats } from 'node:fs'
import { Backoff } from '../fd/backoff.ts'
import { keyOf, type Descriptor } from '../fd/descriptor.ts'
import { lineEnd } from '../fd/line-chunks.ts'
import type { Rotation } from '../rotation/rotation.ts'
import { failureReport } from '../fd/write-errors.ts'
import { ifExists } from '../../platform/node/file-options.ts'

/** The next write of a writer: a line starts at `offset`. */
export interface NextWrite {
  readonly bytes: Uint8Array
  readonly offset: number
  /** The minimum room that the next line needs, in bytes, if it is longer than the part in `bytes`. */
  readonly lineRoom: number
  /** Whether a newline is written first, to end an abandoned line. */
  readonly torn: boolean
}

/** The file's path, and what is needed to follow it. */
export interface FollowedPath {
  readonly path: string
  /**
   * Opens the file at the path, or creates it.
   *
   * @throws The system's error.
   */
  readonly open: () => Descriptor
  /** Returns monotonic time in ms. */
  readonly now: () => number
  /** Records a diagnostic, which is reported once the writer's state is consistent. */
  readonly report: (code: string, message: string) => void
}

/** If the path refers to a different file this many times in a row, inodes are not stable (as on some file systems). */
const MAX_CONSECUTIVE_MOVES = 8
/** How long such a path is not followed, in ms. */
const PAUSE_MILLIS = 60_000
/** How often the path is checked for a file that is not rotated, in ms. */
const CHECK_MILLIS = 1_000

/**
 * Selects the file for the next line: the one that the path refers to. It changes after another program renames or deletes the
 * file, and at a rotation.
 *
 * With rotation, the path is checked before each write, which costs 2 to 3 µs, so the size is right even if other processes
 * write to the file or truncate it. Without rotation, it is checked at most once a second.
 */
export class FileFollower {
  /** From this time on, in ms of `now`, `next` must be called before a line. */
  nextCheckAt: number = -Infinity
  /** How many bytes of whole lines may be written to the file. It is 1 if not even one line fits. */
  room: number = Infinity
  private readonly place: FollowedPath
  private readonly rotation: Rotation | undefined
  private readonly backoff = new Backoff(1_000, 60_000)
  private retryAt = -Infinity
  private missing = false
  /** How many times in a row the path has referred to a different file. */
  private moves = 0

  constructor(place: FollowedPath, rotation: Rotation | undefined) {
    this.place = place
    this.rotation = rotation
  }

  /**
   * Returns the file for the next line: another file than `current`, or undefined for `current`. Returns `gone` if `current` is
   * deleted and its path cannot be opened. Never throws.
   */
  next(current: Descriptor, outgoing: NextWrite): Descriptor | 'gone' | undefined {
    const now = this.place.now()
    this.room = Infinity
    this.nextCheckAt = current.kind !== 'file' ? Infinity : this.rotation === undefined ? now + CHECK_MILLIS : -Infinity
    if (current.kind !== 'file') return undefined
    const stats = this.currentStats()
    if (stats === 'unknown') return undefined
    if (stats !== undefined && keyOf(stats) === current.key) return this.stayOrRotate(current, stats, outgoing, now)
    // The program that renamed the file may be about to create the new one, and may not expect it to exist, so wait one check.
    const wait = stats === undefined && this.rotation === undefined && !this.missing
    this.missing = stats === undefined
    if (wait || now < this.retryAt) return undefined
    if (this.moves === MAX_CONSECUTIVE_MOVES) return this.pause(now)
    const next = this.attempt(current, now, () => this.place.open())
    if (next !== undefined) this.moves++
    return next
  }

  private pause(now: number): undefined {
    this.moves = 0
    this.nextCheckAt = now + PAUSE_MILLIS
    const { path, report } = this.place
    report(
      'SLUICE_WRITE_FAILED',
      `file:${path}: the path refers to a different file each time it is opened; it is not checked for ${PAUSE_MILLIS / 1_000} s`,
    )
  }

  private currentStats(): Stats | undefined | 'unknown' {
    try {
      return statSync(this.place.path, ifExists)
    } catch {
      return 'unknown'
    }
  }

  /** Handles a path that refers to the current file: returns undefined unless the file is full or its period is over. */
  private stayOrRotate(
    current: Descriptor,
    stats: Stats,
    outgoing: NextWrite,
    now: number,
  ): Descriptor | 'gone' | undefined {
    this.missing = false
    this.moves = 0
    const { rotation } = this
    if (rotation === undefined) return undefined
    const room = rotation.room(current, stats) - (outgoing.torn ? 1 : 0)
    const needed = lineLength(outgoing)
    if (room === Infinity || room >= needed || stats.size === 0) {
      this.room = room
      return undefined
    }
    if (now < this.retryAt) return undefined
    this.room = Math.max(1, rotation.slack(stats))
    const next = this.attempt(current, now, () => rotation.rotate(current, stats, needed))
    if (this.retryAt > now) this.room = Infinity
    return next
  }

  /** Runs an action that opens another file. If it fails, the current file stays in use, and the next attempt is delayed. */
  private attempt(
    current: Descriptor,
    now: number,
    action: () => Descriptor | undefined,
  ): Descriptor | 'gone' | undefined {
    try {
      const next = action()
      this.backoff.reset()
      this.retryAt = -Infinity
      return next
    } catch (error) {
      if (isDeleted(current)) return 'gone'
      this.retryAt = now + this.backoff.next()
      const { path, report } = this.place
      const rotates = this.rotation !== undefined
      const what = rotates ? 'rotated' : 'reopened'
      const { code, reason } = failureReport(error, rotates ? 'SLUICE_ROTATION_FAILED' : 'SLUICE_WRITE_FAILED')
      report(code, `file:${path}: cannot be ${what}${reason}; the old file stays in use; retrying`)
      return undefined
    }
  }
}

function lineLength({ bytes, offset, lineRoom }: NextWrite): number {
  return Math.max(lineEnd(bytes, offset) - offset, lineRoom)
}

function isDeleted({ fd }: Descriptor): boolean {
  try {
    return fstatSync(fd).nlink === 0
  } catch {
    return false
  }
}
