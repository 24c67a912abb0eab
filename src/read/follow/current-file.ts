import { closeSync, fstatSync } from 'node:fs'
import { LineRing } from '../input/line-ring.ts'
import { openSource } from '../input/open-source.ts'
import { tailStart } from '../input/tail-start.ts'
import { isPlainFile } from '../input/text-source.ts'
import type { FileFinder } from './file-finder.ts'
import type { FollowItem } from './follow-item.ts'
import { fileKey, Generation } from './generation.ts'
import { statsAt } from './path-state.ts'
import { findCopy, readOnce, readRest } from './rotated-content.ts'
import type { RotatedFile, RotatedFiles } from './rotated-files.ts'
import type { RotatedReader } from './rotated-reader.ts'

/** What finds and reads the rotated files of a followed path. */
export interface RotationParts {
  readonly rotated: RotatedFiles
  readonly finder: FileFinder
  readonly reader: RotatedReader
}

/** Reads the file at a followed path, also after it was truncated. */
export class CurrentFile {
  /** The file that was at the path last; undefined before the first one. */
  generation: Generation | undefined
  private readonly path: string
  private readonly tail: number | undefined
  private readonly parts: RotationParts
  private hasOpened = false

  /** @param tail - how many lines of the first file are read; undefined for all */
  constructor(path: string, tail: number | undefined, parts: RotationParts) {
    this.path = path
    this.tail = tail
    this.parts = parts
  }

  /** Whether a file was opened. Only of the first file, the last lines can be selected. */
  get hasStarted(): boolean {
    return this.hasOpened
  }

  /** The keys of all open files. */
  get openKeys(): ReadonlySet<string> {
    const { generation, parts } = this
    return new Set([...(generation === undefined ? [] : [generation.key]), ...parts.reader.drained.keys])
  }

  /** Opens the rotated files that were not read, the oldest first. */
  findUnknown(): RotatedFile[] {
    return this.parts.finder.findUnknown(this.generation, this.openKeys)
  }

  /** Reads another file at the path from its start. Of the first file, only the last lines are read if `tail` is set. */
  async *start({ fd, mtimeNs }: RotatedFile, now: number): AsyncGenerator<FollowItem, undefined> {
    const tail = this.hasOpened ? undefined : this.tail
    this.hasOpened = true
    if (isPlainFile(this.path, fd)) {
      this.generation = new Generation(fd, now, tail === undefined ? 0 : tailStart(fd, tail), mtimeNs)
      yield* this.generation.read(now)
      return
    }
    // Nothing is appended to a compressed file.
    this.generation = new Generation(fd, now, fstatSync(fd).size)
    yield* readOnce(this.path, () => {
      const opened = openSource(this.path)
      return tail === undefined ? opened : { ...opened, lastLines: new LineRing(tail) }
    })
  }

  /** Reads the lines that were added. */
  async *read(now: number): AsyncGenerator<FollowItem, undefined> {
    const { generation } = this
    if (generation === undefined) return
    const isTruncated =
      generation.mark.position > 0 ? yield* generation.read(now) : yield* this.readFirst(generation, now, false)
    if (isTruncated) yield* this.startAfterTruncation(generation, now)
  }

  close(): void {
    this.generation?.close()
    this.generation = undefined
  }

  /**
   * Reads a file of which nothing was read yet. A truncation of such a file cannot be detected, so copies that were not read are read
   * before it.
   *
   * @param mustSearch - whether copies can exist although the directory has not changed since the last search
   * @returns whether the file was truncated
   */
  private async *readFirst(current: Generation, now: number, mustSearch: boolean): AsyncGenerator<FollowItem, boolean> {
    let lines = current.read(now)
    let first = lines.next()
    if (mustSearch || current.mark.position > 0 || this.parts.rotated.hasChanged()) {
      const { mtimeNs } = fstatSync(current.fd, { bigint: true })
      const files = this.findUnknown()
      current.searchedMtimeNs = mtimeNs
      // A copy that was found may contain bytes that were written to the file after the first attempt.
      if (current.mark.position === 0 && files.length > 0) {
        lines = current.read(now)
        first = lines.next()
      }
      // Contents that follow this one are read after it.
      const end = files.findIndex(({ head }) => current.mark.hasHead(head))
      const earlier = this.isAtPath(current) ? files.slice(0, end === -1 ? files.length : end) : []
      for (const file of files) if (!earlier.includes(file)) closeSync(file.fd)
      yield* this.parts.reader.readNew(earlier, now)
    }
    if (first.done === true) return first.value
    yield first.value
    return yield* lines
  }

  private isAtPath({ key }: Generation): boolean {
    try {
      const stats = statsAt(this.path)
      return stats !== undefined && fileKey(stats) === key
    } catch {
      return false
    }
  }

  /** Reads the rest of the old content in its copy, and then the file from its start. */
  private async *startAfterTruncation(old: Generation, now: number): AsyncGenerator<FollowItem, undefined> {
    const { fd } = old
    const { rotated } = this.parts
    const files = this.findUnknown()
    const copy = findCopy(old.mark, files)
    // Files with other contents are found again when this file is read.
    for (const file of files) if (file !== copy) closeSync(file.fd)
    if (copy !== undefined) yield* readRest(old, copy, now)
    const incomplete = old.takeIncomplete()
    if (incomplete !== undefined) yield incomplete
    rotated.addKnown(old.key, old.mark.head)
    if (copy !== undefined) {
      rotated.addKnown(copy.key, copy.head)
      // Reading a compressed copy has closed it.
      if (copy.compression === undefined) closeSync(copy.fd)
    }
    const message = copy === undefined ? 'it was truncated' : `it was copied to ${copy.name} and truncated`
    yield { event: 'truncated', message }
    this.generation = new Generation(fd, now, 0, old.searchedMtimeNs)
    yield* this.readFirst(this.generation, now, true)
  }
}
