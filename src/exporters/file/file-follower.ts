import { fstatSync, statSync, type Stats } from 'node:fs'
import { Backoff } from '../fd/backoff.ts'
import { keyOf, type Descriptor } from '../fd/descriptor.ts'
import { lineEnd } from '../fd/line-chunks.ts'
import type { Rotation } from '../rotation/rotation.ts'
import { failureReport } from '../fd/write-errors.ts'
import { orNothing } from '../../platform/node/file-options.ts'

/** What a writer is about to write: the next line begins at `offset`. */
export interface Outgoing {
  readonly bytes: Uint8Array
  readonly offset: number
  /** How much room the next line must find at least, in bytes, where it is longer than what is there of it. */
  readonly lineRoom: number
  /** A newline stands before it, to end a line that was given up. */
  readonly torn: boolean
}

/** Where a file's path is looked up. */
export interface FilePlace {
  readonly path: string
  /** Opens the file of that path, or makes it. @throws the system's error. */
  readonly open: () => Descriptor
  /** Ms of a clock that does not jump. */
  readonly now: () => number
  /** Takes note of a problem; it is told once the writer's state is whole. */
  readonly report: (code: string, message: string) => void
}

/** A path that leads to another file so often at a stretch is one whose files have no lasting number (some file systems). */
const RESTLESS = 8
/** How long such a path is left alone, in ms. */
const REST_MILLIS = 60_000
/** How often the path of a file that is not rotated is looked up, in ms. */
const LOOK_MILLIS = 1_000

/**
 * In which file the next line goes: the one that the path leads to. It is another one after somebody has renamed or deleted
 * ours, and when rotation puts ours aside.
 *
 * With rotation the path is looked up at each write, which costs 2 to 3 µs, and the size is then right whoever else writes
 * or truncates. Without, once a second at most.
 */
export class FileFollower {
  /** From when on `next` is to be asked before a line, in ms of `now`. */
  askAt: number = -Infinity
  /** How many bytes of whole lines may go into the file; if not even one line fits, one. */
  room: number = Infinity
  private readonly place: FilePlace
  private readonly rotation: Rotation | undefined
  private readonly backoff = new Backoff(1_000, 60_000)
  private retryAt = -Infinity
  private missing = false
  /** How often the path has led elsewhere since it led to our file. */
  private moves = 0

  constructor(place: FilePlace, rotation: Rotation | undefined) {
    this.place = place
    this.rotation = rotation
  }

  /**
   * Says where the next line goes: into another file than `current`, nowhere at the moment (`gone`: ours is deleted, and its
   * path cannot be opened), or into `current` (undefined). Never throws.
   */
  next(current: Descriptor, outgoing: Outgoing): Descriptor | 'gone' | undefined {
    const now = this.place.now()
    this.room = Infinity
    this.askAt = current.kind !== 'file' ? Infinity : this.rotation === undefined ? now + LOOK_MILLIS : -Infinity
    if (current.kind !== 'file') return undefined
    const stats = this.look()
    if (stats === 'unknown') return undefined
    if (stats !== undefined && keyOf(stats) === current.key) return this.stay(current, stats, outgoing, now)
    // Whoever renames a file may be about to make the new one, and be surprised to find ours.
    const wait = stats === undefined && this.rotation === undefined && !this.missing
    this.missing = stats === undefined
    if (wait || now < this.retryAt) return undefined
    if (this.moves === RESTLESS) return this.rest(now)
    const next = this.attempt(current, now, () => this.place.open())
    if (next !== undefined) this.moves++
    return next
  }

  private rest(now: number): undefined {
    this.moves = 0
    this.askAt = now + REST_MILLIS
    const { path, report } = this.place
    report('SLUICE_WRITE_FAILED', `file:${path}: leads to another file whenever it is opened; it is not followed`)
  }

  private look(): Stats | undefined | 'unknown' {
    try {
      return statSync(this.place.path, orNothing)
    } catch {
      return 'unknown'
    }
  }

  /** The path leads to our file: it stays in use unless it is full or its time is over. */
  private stay(current: Descriptor, stats: Stats, outgoing: Outgoing, now: number): Descriptor | 'gone' | undefined {
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
    const next = this.attempt(current, now, () => rotation.turnOver(current, stats, needed))
    if (this.retryAt > now) this.room = Infinity
    return next
  }

  /** Where it fails ours stays in use, and the next attempt is later than this one was. */
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
      const what = rotates ? 'rotated' : 'opened anew'
      const { code, reason } = failureReport(error, rotates ? 'SLUICE_ROTATION_FAILED' : 'SLUICE_WRITE_FAILED')
      report(code, `file:${path}: cannot be ${what}${reason}; the old file stays in use, trying again`)
      return undefined
    }
  }
}

function lineLength({ bytes, offset, lineRoom }: Outgoing): number {
  return Math.max(lineEnd(bytes, offset) - offset, lineRoom)
}

function isDeleted({ fd }: Descriptor): boolean {
  try {
    return fstatSync(fd).nlink === 0
  } catch {
    return false
  }
}
