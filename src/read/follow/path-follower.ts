import { closeSync, fstatSync, statSync, type BigIntStats } from 'node:fs'
import { basename } from 'node:path'
import { inputProblem } from '../input/input-problem.ts'
import { LineRing } from '../input/line-ring.ts'
import { openForReading, openSource } from '../input/open-source.ts'
import { tailStart } from '../input/tail-start.ts'
import { isPlainFile } from '../input/text-source.ts'
import { headOf } from './content-mark.ts'
import { DrainedFiles } from './drained-files.ts'
import type { FollowItem, FollowOptions } from './follow-item.ts'
import { fileKey, Generation } from './generation.ts'
import { findCopy, readCompressed, readOnce, readRest } from './rotated-content.ts'
import { compareFiles, RotatedFiles, type RotatedFile } from './rotated-files.ts'
import { addMembers } from '../../options/define-member.ts'

/** How often the search for rotated files is repeated while files are being rotated. */
const MAX_SEARCHES = 20
/** How long after the last lines a file is quiet, in ms. It is less than the time between two checks. */
const QUIET_MILLIS = 40
/** A file that replaces another one continues it if it begins with all of its bytes, at least this many. */
const MIN_CONTINUED_BYTES = 256

/**
 * Follows the path of a regular file through rotations, so that each line is returned once.
 *
 * A rotated file is read to its end through its open descriptor before the new one. Files that were rotated before they were
 * seen at the path, and the rest of a file that was copied and truncated, are found in its directory by inode and content.
 */
export class PathFollower {
  private readonly path: string
  private readonly options: FollowOptions
  private readonly rotated: RotatedFiles
  private readonly drained = new DrainedFiles()
  /** The file that was at the path last. */
  private current: Generation | undefined
  /** The user ID of the file's owner. */
  private owner: number | undefined
  private pathState: 'unknown' | 'readable' | 'missing' | 'unreadable' = 'unknown'
  /** Whether a file was opened, of whose lines only the last ones are returned. */
  private hasStarted = false
  /** When lines were returned, in ms of `now`; undefined after `quiet`. */
  private lastLinesAt: number | undefined

  constructor(path: string, options: FollowOptions) {
    this.path = path
    this.options = options
    this.rotated = new RotatedFiles(path)
    this.rotated.ignoreExisting()
  }

  /** Whether `quiet` was not returned since the last lines. The next check is then due earlier. */
  get isBusy(): boolean {
    return this.lastLinesAt !== undefined
  }

  /** Returns whether a check would find nothing. It costs one system call, and most checks are unnecessary. */
  isUnchanged(): boolean {
    const { current } = this
    if (current === undefined || this.isBusy || current.hasIncomplete || this.drained.keys.length > 0) return false
    if (current.mark.position === 0 || this.pathState !== 'readable') return false
    try {
      const stats = statSync(this.path, { throwIfNoEntry: false, bigint: true })
      return stats !== undefined && current.isRead(stats)
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
      if (!('event' in item)) hasLines = true
      yield item
    }
    if (hasLines) this.lastLinesAt = now
    else if (this.isBusy && now - this.lastLinesAt! >= QUIET_MILLIS) {
      this.lastLinesAt = undefined
      yield { event: 'quiet', message: 'there are no new lines' }
    }
  }

  close(): void {
    this.current?.close()
    this.current = undefined
    this.drained.close()
  }

  private async *changes(now: number): AsyncGenerator<FollowItem, undefined> {
    yield* this.drained.read(now)
    if (this.current !== undefined) yield* this.readCurrent(this.current, now)

    const stats = yield* this.statsAtPath()
    if (stats !== undefined && fileKey(stats) !== this.current?.key) yield* this.switchFile(now)
    else if (stats !== undefined) yield* this.enter('readable', 'it can be read again')
    else if (this.rotated.hasChanged()) yield* this.readMissed(now)

    const { incompleteLineMillis = 1_000 } = this.options
    const incomplete = this.current?.takeIncompleteAfter(incompleteLineMillis, now)
    if (incomplete !== undefined) yield incomplete
    yield* this.drained.endIncompleteLines(incompleteLineMillis, now)
    yield* this.drained.closeFinished((this.current?.mark.position ?? 0) > 0, now)
  }

  /** Returns the state of the file at the path, or an event if there is none. */
  private *statsAtPath(): Generator<FollowItem, BigIntStats | undefined> {
    try {
      const stats = statSync(this.path, { throwIfNoEntry: false, bigint: true })
      if (stats === undefined) yield* this.enter('missing', 'it does not exist at the moment')
      return stats
    } catch (error) {
      yield* this.enter('unreadable', inputProblem(error, false))
      return undefined
    }
  }

  /** Returns an event if the state of the path has changed. */
  private *enter(state: 'readable' | 'missing' | 'unreadable', message: string): Generator<FollowItem> {
    const { pathState } = this
    this.pathState = state
    if (state === 'readable' ? pathState === 'unreadable' : pathState !== state) yield { event: state, message }
  }

  /** Reads the old file to its end, then the files that were at the path since the last check, then the one that is there now. */
  private async *switchFile(now: number): AsyncGenerator<FollowItem, undefined> {
    const { current, rotated } = this
    let found
    try {
      found = this.openFiles()
    } catch (error) {
      yield* this.enter('unreadable', inputProblem(error, false))
      return
    }
    if (found === undefined) return
    yield* this.enter('readable', 'it can be read again')
    const { next, missed } = found
    if (current !== undefined) {
      yield* current.read(now)
      if (current.mark.position >= MIN_CONTINUED_BYTES && current.mark.isIn(next.fd)) {
        current.close()
        current.continueIn(next.fd)
        for (const file of missed) rotated.ignore(file)
        yield* current.read(now)
        return
      }
      this.drained.add(current, now)
      rotated.addKnown(current.key, current.mark.head)
    }
    yield* this.readNew(missed, now)
    if (this.hasStarted) yield { event: 'rotated', message: 'it was replaced by another file' }
    yield* this.start(next, now)
  }

  /**
   * Opens the file at the path, and the files that were there since the last check. Returns undefined if the file that was read last
   * is there again.
   *
   * @throws The system's error, or EINVAL if it is not a regular file.
   */
  private openFiles(): { readonly next: RotatedFile; readonly missed: readonly RotatedFile[] } | undefined {
    const missed = new Map<string, RotatedFile>()
    let next: RotatedFile | undefined
    const closeAll = (): void => {
      for (const { fd } of [...missed.values(), ...(next === undefined ? [] : [next])]) closeSync(fd)
    }
    try {
      // Each search can find files that were rotated during the one before.
      for (let searches = 0; searches < MAX_SEARCHES; searches++) {
        const opened = this.openPath()
        if (opened.key === next?.key) closeSync(opened.fd)
        else {
          if (next !== undefined) missed.set(next.key, next)
          next = opened
        }
        const excluded = new Set([...this.openKeys(), ...missed.keys(), next.key])
        const found = this.rotated.findUnknown(this.current?.searchedMtimeNs ?? 0n, excluded, this.owner)
        for (const file of found) missed.set(file.key, file)
        if (found.length === 0 && opened.key === next.key && searches > 0) break
      }
    } catch (error) {
      closeAll()
      throw error
    }
    if (next!.key === this.current?.key) {
      closeAll()
      return undefined
    }
    for (const file of missed.values()) {
      file.mtimeNs = fstatSync(file.fd, { bigint: true }).mtimeNs
      // It can have been empty when it was at the path.
      if (file.compression === undefined) file.head = headOf(file.fd)
    }
    return { next: next!, missed: [...missed.values()].toSorted(compareFiles) }
  }

  private openPath(): RotatedFile {
    const fd = openForReading(this.path)
    const stats = fstatSync(fd, { bigint: true })
    if (stats.isFile()) {
      this.owner = Number(stats.uid)
      const head = headOf(fd)
      return {
        name: basename(this.path),
        key: fileKey(stats),
        fd,
        mtimeNs: stats.mtimeNs,
        compression: undefined,
        head,
      }
    }
    closeSync(fd)
    throw addMembers(new Error('not a regular file'), { code: stats.isDirectory() ? 'EISDIR' : 'EINVAL' })
  }

  /** Reads the file at the path from its start, or its last lines if it is the first one. */
  private async *start({ fd, mtimeNs }: RotatedFile, now: number): AsyncGenerator<FollowItem, undefined> {
    const tail = this.hasStarted ? undefined : this.options.tail
    this.hasStarted = true
    if (isPlainFile(this.path, fd)) {
      this.current = new Generation(fd, now, tail === undefined ? 0 : tailStart(fd, tail), mtimeNs)
      yield* this.current.read(now)
      return
    }
    // Nothing is appended to a compressed file.
    this.current = new Generation(fd, now, fstatSync(fd).size)
    yield* readOnce(this.path, () => {
      const opened = openSource(this.path)
      return tail === undefined ? opened : { ...opened, lastLines: new LineRing(tail) }
    })
  }

  /** Reads the lines that were added to the file at the path. */
  private async *readCurrent(current: Generation, now: number): AsyncGenerator<FollowItem, undefined> {
    const isTruncated =
      current.mark.position > 0 ? yield* current.read(now) : yield* this.readFirst(current, now, false)
    if (isTruncated) yield* this.startAfterTruncation(current, now)
  }

  /**
   * Reads a file of which nothing was read. Until then it can be copied and truncated, and looks as before, so the copies that were
   * not read are read first.
   *
   * @param mustSearch - Whether there can be copies although the directory has not changed since the last search.
   * @returns Whether the file was truncated.
   */
  private async *readFirst(current: Generation, now: number, mustSearch: boolean): AsyncGenerator<FollowItem, boolean> {
    let lines = current.read(now)
    let first = lines.next()
    if (mustSearch || current.mark.position > 0 || this.rotated.hasChanged()) {
      const { mtimeNs } = fstatSync(current.fd, { bigint: true })
      const files = this.findUnknown()
      current.searchedMtimeNs = mtimeNs
      // A copy that was found can be one of bytes that were written after the first attempt.
      if (current.mark.position === 0 && files.length > 0) {
        lines = current.read(now)
        first = lines.next()
      }
      // Contents that follow this one are read after it.
      const end = files.findIndex(({ head }) => current.mark.hasHead(head))
      const earlier = this.isAtPath(current) ? files.slice(0, end === -1 ? files.length : end) : []
      for (const file of files) if (!earlier.includes(file)) closeSync(file.fd)
      yield* this.readNew(earlier, now)
    }
    if (first.done === true) return first.value
    yield first.value
    return yield* lines
  }

  /** Returns whether a file is at the path. */
  private isAtPath({ key }: Generation): boolean {
    try {
      const stats = statSync(this.path, { throwIfNoEntry: false, bigint: true })
      return stats !== undefined && fileKey(stats) === key
    } catch {
      return false
    }
  }

  /** Reads the rest of the old content in its copy, and then the file from its start. */
  private async *startAfterTruncation(old: Generation, now: number): AsyncGenerator<FollowItem, undefined> {
    const { fd } = old
    const files = this.findUnknown()
    const copy = findCopy(old.mark, files)
    // Other contents are found again when the file is read.
    for (const file of files) if (file !== copy) closeSync(file.fd)
    if (copy !== undefined) yield* readRest(old, copy, now)
    const incomplete = old.takeIncomplete()
    if (incomplete !== undefined) yield incomplete
    this.rotated.addKnown(old.key, old.mark.head)
    if (copy !== undefined) {
      this.rotated.addKnown(copy.key, copy.head)
      // Reading a compressed copy has closed it.
      if (copy.compression === undefined) closeSync(copy.fd)
    }
    const message = copy === undefined ? 'it was truncated' : `it was copied to ${copy.name} and truncated`
    yield { event: 'truncated', message }
    this.current = new Generation(fd, now, 0, old.searchedMtimeNs)
    yield* this.readFirst(this.current, now, true)
  }

  /** Reads files that were rotated while nothing is at the path. */
  private async *readMissed(now: number): AsyncGenerator<FollowItem, undefined> {
    const { current } = this
    const files = this.findUnknown()
    const isCopy = ({ head }: RotatedFile): boolean => current?.mark.hasHead(head) === true
    for (const file of files) if (isCopy(file)) closeSync(file.fd)
    yield* this.readNew(
      files.filter((file) => !isCopy(file)),
      now,
    )
  }

  /** Opens the rotated files that were not read. */
  private findUnknown(): RotatedFile[] {
    return this.rotated.findUnknown(this.current?.searchedMtimeNs ?? 0n, this.openKeys(), this.owner)
  }

  /** Reads those of some files whose content was not read, and closes the others. */
  private async *readNew(files: readonly RotatedFile[], now: number): AsyncGenerator<FollowItem, undefined> {
    const pending = [...files]
    try {
      for (let file = pending.shift(); file !== undefined; file = pending.shift()) {
        // A program can still write to a file that was at the path.
        if (file.head.length === 0 && file.compression === undefined) {
          this.drained.add(new Generation(file.fd, now), now)
        } else if (file.head.length === 0) closeSync(file.fd)
        else if (this.rotated.hasContent(file.head)) this.rotated.ignore(file)
        else yield* this.readWhole(file, now)
      }
    } finally {
      // Following has ended meanwhile.
      for (const { fd } of pending) closeSync(fd)
    }
  }

  /** Reads a file that was never seen at the path. */
  private async *readWhole(file: RotatedFile, now: number): AsyncGenerator<FollowItem, undefined> {
    this.rotated.addKnown(file.key, file.head)
    yield { event: 'rotated', message: `it was rotated to ${file.name}` }
    if (file.compression !== undefined) {
      yield* readCompressed(file)
      return
    }
    const generation = new Generation(file.fd, now)
    this.drained.add(generation, now)
    yield* generation.read(now)
  }

  private openKeys(): Set<string> {
    return new Set([...(this.current === undefined ? [] : [this.current.key]), ...this.drained.keys])
  }
}
