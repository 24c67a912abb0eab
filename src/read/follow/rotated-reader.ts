import { closeSync } from 'node:fs'
import { DrainedFiles } from './drained-files.ts'
import type { FollowItem } from './follow-item.ts'
import { Generation } from './generation.ts'
import { readCompressed } from './rotated-content.ts'
import type { RotatedFile, RotatedFiles } from './rotated-files.ts'

/** Reads rotated files, each content once. */
export class RotatedReader {
  /** The files that were read to their end. */
  readonly drained: DrainedFiles = new DrainedFiles()
  private readonly rotated: RotatedFiles

  constructor(rotated: RotatedFiles) {
    this.rotated = rotated
  }

  /** Reads those of some open files whose content was not read, and closes the others. */
  async *readNew(files: readonly RotatedFile[], now: number): AsyncGenerator<FollowItem, undefined> {
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
      // Files remain if following ends during a read.
      for (const { fd } of pending) closeSync(fd)
    }
  }

  /** Reads a file that was never found at the path. */
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
}
