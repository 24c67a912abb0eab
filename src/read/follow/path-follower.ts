import { closeSync } from 'node:fs'
import { withoutPrototype } from '../../options/own-members.ts'
import { CurrentFile } from './current-file.ts'
import { FileFinder } from './file-finder.ts'
import { isFollowEvent, type FollowItem, type FollowOptions } from './follow-item.ts'
import { fileKey } from './generation.ts'
import { PathState, statsAt } from './path-state.ts'
import { RotatedFiles, type RotatedFile } from './rotated-files.ts'
import { RotatedReader } from './rotated-reader.ts'

/** How long after the last lines a file is quiet, in ms. It is less than the time between two checks. */
const QUIET_MILLIS = 40
/** A file that replaces another one continues it if it begins with all of its bytes, at least this many. */
const MIN_CONTINUED_BYTES = 256

/**
 * Follows the path of a regular file through rotations, so that each line is returned once.
 *
 * A rotated file is read to its end through its open descriptor before the new one. Files that were rotated before they were found at
 * the path, and the rest of a file that was copied and truncated, are found in its directory by inode and content.
 */
export class PathFollower {
  private readonly path: string
  private readonly incompleteLineMillis: number
  private readonly rotated: RotatedFiles
  private readonly finder: FileFinder
  private readonly reader: RotatedReader
  private readonly state: PathState
  private readonly current: CurrentFile
  /** When lines were returned, in ms of `now`; undefined after `quiet`. */
  private lastLinesAt: number | undefined

  constructor(path: string, options: FollowOptions) {
    const { tail, incompleteLineMillis = 1_000 } = withoutPrototype(options)
    this.path = path
    this.incompleteLineMillis = incompleteLineMillis
    this.rotated = new RotatedFiles(path)
    this.finder = new FileFinder(path, this.rotated)
    this.reader = new RotatedReader(this.rotated)
    this.state = new PathState(path)
    const { rotated, finder, reader } = this
    this.current = new CurrentFile(path, tail, { rotated, finder, reader })
    rotated.ignoreExisting()
  }

  /** Whether lines were returned and no event `quiet` since. The next check is then due earlier. */
  get isBusy(): boolean {
    return this.lastLinesAt !== undefined
  }

  /** Returns whether a check would find nothing. It costs one system call, and most checks are unnecessary. */
  isUnchanged(): boolean {
    const { generation } = this.current
    if (generation === undefined || this.isBusy || generation.hasIncomplete) return false
    if (this.reader.drained.keys.length > 0 || generation.mark.position === 0 || !this.state.isReadable) return false
    try {
      const stats = statsAt(this.path)
      return stats !== undefined && generation.isRead(stats)
    } catch {
      return false
    }
  }

  /**
   * Returns the lines and events since the last check.
   *
   * @param now - Monotonic time in ms.
   */
  async *check(now: number): AsyncGenerator<FollowItem, undefined> {
    let hasLines = false
    for await (const item of this.changes(now)) {
      if (!isFollowEvent(item)) hasLines = true
      yield item
    }
    if (hasLines) this.lastLinesAt = now
    else if (this.lastLinesAt !== undefined && now - this.lastLinesAt >= QUIET_MILLIS) {
      this.lastLinesAt = undefined
      yield { event: 'quiet', message: 'there are no new lines' }
    }
  }

  close(): void {
    this.current.close()
    this.reader.drained.close()
  }

  private async *changes(now: number): AsyncGenerator<FollowItem, undefined> {
    const { current, incompleteLineMillis } = this
    const { drained } = this.reader
    yield* drained.read(now)
    yield* current.read(now)

    const stats = yield* this.state.stats()
    if (stats !== undefined && fileKey(stats) !== current.generation?.key) yield* this.switchFile(now)
    else if (stats !== undefined) yield* this.state.setReadable()
    else if (this.rotated.hasChanged()) yield* this.readMissed(now)

    const incomplete = current.generation?.takeIncompleteAfter(incompleteLineMillis, now)
    if (incomplete !== undefined) yield incomplete
    yield* drained.endIncompleteLines(incompleteLineMillis, now)
    yield* drained.closeFinished((current.generation?.mark.position ?? 0) > 0, now)
  }

  /** Reads the old file to its end, then the files that were at the path since the last check, then the one that is there now. */
  private async *switchFile(now: number): AsyncGenerator<FollowItem, undefined> {
    const { current, rotated, finder, reader, state } = this
    const old = current.generation
    let found
    try {
      found = finder.openChanged(old, current.openKeys)
    } catch (error) {
      yield* state.setUnreadable(error)
      return
    }
    if (found === undefined) return
    yield* state.setReadable()
    const { next, missed } = found
    if (old !== undefined) {
      yield* old.read(now)
      if (old.mark.position >= MIN_CONTINUED_BYTES && old.mark.isIn(next.fd)) {
        old.close()
        old.continueIn(next.fd)
        for (const file of missed) rotated.ignore(file)
        yield* old.read(now)
        return
      }
      reader.drained.add(old, now)
      rotated.addKnown(old.key, old.mark.head)
    }
    yield* reader.readNew(missed, now)
    if (current.hasStarted) yield { event: 'rotated', message: 'it was replaced by another file' }
    yield* current.start(next, now)
  }

  /** Reads files that were rotated while nothing is at the path. */
  private async *readMissed(now: number): AsyncGenerator<FollowItem, undefined> {
    const { current, reader } = this
    const files = current.findUnknown()
    const isCopy = ({ head }: RotatedFile): boolean => current.generation?.mark.hasHead(head) === true
    for (const file of files) if (isCopy(file)) closeSync(file.fd)
    const others = files.filter((file) => !isCopy(file))
    yield* reader.readNew(others, now)
  }
}
