import { fstatSync, statSync, type Stats } from 'node:fs'
import { Backoff } from '../fd/backoff.ts'
import { fileKeyOf, type Descriptor } from '../fd/descriptor.ts'
import { lineEnd } from '../fd/line-chunks.ts'
import type { Rotation } from '../rotation/rotation.ts'
import { failureReport } from '../fd/write-errors.ts'
import { ifExists } from '../../platform/node/file-options.ts'

/** The next write of a writer. */
export interface NextWrite {
  readonly bytes: Uint8Array
  /** Where the write starts in `bytes`, which is the start of a line. */
  readonly offset: number
  /** The minimum length to assume for the next line, in bytes, because `bytes` may contain only a part of it. */
  readonly assumedLineBytes: number
  /** Whether a newline is written first, to end an abandoned line. */
  readonly needsNewline: boolean
}

/** The path that a `FileFollower` follows, and what it needs for that. */
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
  /** Adds a diagnostic, which is reported once the writer's state is consistent. */
  readonly report: (code: string, message: string) => void
}

/** If the path refers to a different file this many times in a row, its inode number is not stable, as on some file systems. */
const MAX_CONSECUTIVE_CHANGES = 8
/** How long a path with an unstable inode number is not checked, in ms. */
const PAUSE_MILLIS = 60_000
/** The minimum time between two checks of the path of a file without rotation, in ms. */
const CHECK_MILLIS = 1_000

/**
 * Selects the file for the next line: the one that the path refers to. Another file is selected after another program has renamed
 * or deleted the current one, and at a rotation.
 *
 * With rotation, the path is checked before each write, which costs 2 to 3 µs, so the size is right even if other processes
 * write to the file or truncate it. Without rotation, it is checked at most once a second.
 */
export class FileFollower {
  /** From this time on, in ms of `now`, `next` must be called before a line. */
  nextCheckAt: number = -Infinity
  /** How many bytes of whole lines the next write may contain. One line is written even if it is longer. */
  room: number = Infinity
  private readonly followed: FollowedPath
  private readonly rotation: Rotation | undefined
  private readonly backoff = new Backoff(1_000, 60_000)
  /** After a failure, the time of the next attempt, in ms of `now`. */
  private retryAt = -Infinity
  /** Whether nothing was at the path at the last check. */
  private wasMissing = false
  /** How many times in a row the path has referred to a different file. */
  private consecutiveChanges = 0

  constructor(followed: FollowedPath, rotation: Rotation | undefined) {
    this.followed = followed
    this.rotation = rotation
  }

  /**
   * Returns the file for the next line if it is another one than `current`, otherwise undefined. Returns `gone` if `current` is
   * deleted and the path cannot be opened. Never throws.
   */
  next(current: Descriptor, outgoing: NextWrite): Descriptor | 'gone' | undefined {
    const now = this.followed.now()
    this.room = Infinity
    this.nextCheckAt = current.kind !== 'file' ? Infinity : this.rotation === undefined ? now + CHECK_MILLIS : -Infinity
    if (current.kind !== 'file') return undefined
    const stats = this.statsAtPath()
    if (stats === 'unknown') return undefined
    if (stats !== undefined && fileKeyOf(stats) === current.key) return this.stayOrRotate(current, stats, outgoing, now)
    // The program that renamed the file may be about to create the new one, and may not expect it to exist, so wait until the next check.
    const waitsForNewFile = stats === undefined && this.rotation === undefined && !this.wasMissing
    this.wasMissing = stats === undefined
    if (waitsForNewFile || now < this.retryAt) return undefined
    if (this.consecutiveChanges === MAX_CONSECUTIVE_CHANGES) return this.pause(now)
    const next = this.attempt(current, now, () => this.followed.open())
    if (next !== undefined) this.consecutiveChanges++
    return next
  }

  /** Delays the next check of the path by `PAUSE_MILLIS`, and reports that. */
  private pause(now: number): undefined {
    this.consecutiveChanges = 0
    this.nextCheckAt = now + PAUSE_MILLIS
    const { path, report } = this.followed
    report(
      'SLUICE_WRITE_FAILED',
      `file:${path}: the path refers to a different file each time it is opened; it is not checked for ${PAUSE_MILLIS / 1_000} s`,
    )
  }

  /** Returns the state of the file at the path, undefined if the file does not exist, or `unknown` if the state cannot be read. */
  private statsAtPath(): Stats | undefined | 'unknown' {
    try {
      return statSync(this.followed.path, ifExists)
    } catch {
      return 'unknown'
    }
  }

  /**
   * Handles a path that refers to the current file: rotates the file if the next line does not fit or the period is over, unless the file
   * is empty.
   */
  private stayOrRotate(
    current: Descriptor,
    stats: Stats,
    outgoing: NextWrite,
    now: number,
  ): Descriptor | 'gone' | undefined {
    this.wasMissing = false
    this.consecutiveChanges = 0
    const { rotation } = this
    if (rotation === undefined) return undefined
    const room = rotation.remainingBytes(current, stats) - (outgoing.needsNewline ? 1 : 0)
    const neededBytes = lineLength(outgoing)
    if (room === Infinity || room >= neededBytes || stats.size === 0) {
      this.room = room
      return undefined
    }
    if (now < this.retryAt) return undefined
    this.room = Math.max(1, rotation.remainingBytesAwaitingRotation(stats))
    const next = this.attempt(current, now, () => rotation.rotate(current, stats, neededBytes))
    // If the rotation failed, lines are written to the current file whatever its size.
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
      const { path, report } = this.followed
      const rotates = this.rotation !== undefined
      const what = rotates ? 'rotated' : 'reopened'
      const { code, reason } = failureReport(error, rotates ? 'SLUICE_ROTATION_FAILED' : 'SLUICE_WRITE_FAILED')
      report(code, `file:${path}: cannot be ${what}${reason}; the old file stays in use; retrying`)
      return undefined
    }
  }
}

/** Returns the length of the next line in bytes, as far as it is known. */
function lineLength({ bytes, offset, assumedLineBytes }: NextWrite): number {
  return Math.max(lineEnd(bytes, offset) - offset, assumedLineBytes)
}

function isDeleted({ fd }: Descriptor): boolean {
  try {
    return fstatSync(fd).nlink === 0
  } catch {
    return false
  }
}
