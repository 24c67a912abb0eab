import type { LineChunk } from '../input/line-chunk.ts'
import type { Generation } from './generation.ts'

/** How long a rotated file is read after its last line, in ms. A program can continue to write to it until it opens its log again. */
const DRAIN_MILLIS = 10_000
/** How many rotated files are read at the same time. */
const MAX_FILES = 8

/** Rotated files that were read to their end, and to which programs may still write. */
export class DrainedFiles {
  private files: Generation[] = []

  add(file: Generation, now: number): void {
    file.lastReadAt = now
    this.files.push(file)
  }

  /** The keys of the files. */
  get keys(): string[] {
    return this.files.map(({ key }) => key)
  }

  /** Returns the lines that were added. */
  *read(now: number): Generator<LineChunk> {
    for (const file of this.files) yield* file.read(now)
  }

  /** Returns incomplete last lines that were not continued for some time. */
  *endIncompleteLines(millis: number, now: number): Generator<LineChunk> {
    for (const file of this.files) {
      const line = file.takeIncompleteAfter(millis, now)
      if (line !== undefined) yield line
    }
  }

  /**
   * Closes the files that have not grown for some time, and the oldest if there are too many. Returns their incomplete lines.
   *
   * @param isReplaced - Whether programs write to the file at the path. Otherwise they may not have opened it yet.
   */
  *closeFinished(isReplaced: boolean, now: number): Generator<LineChunk> {
    const isFinished = (file: Generation, index: number): boolean =>
      this.files.length - index > MAX_FILES || (isReplaced && now - file.lastReadAt >= DRAIN_MILLIS)
    const finished = this.files.filter(isFinished)
    if (finished.length === 0) return
    this.files = this.files.filter((file) => !finished.includes(file))
    for (const file of finished) {
      const line = file.takeIncomplete()
      file.close()
      if (line !== undefined) yield line
    }
  }

  close(): void {
    for (const file of this.files.splice(0)) file.close()
  }
}
