import { closeSync, fstatSync, readSync, type BigIntStats } from 'node:fs'
import { ChunkCounter } from '../input/chunk-counter.ts'
import { LineBuffer } from '../input/line-buffer.ts'
import type { LineChunk } from '../input/line-chunk.ts'
import { ContentMark } from './content-mark.ts'
import { isPartOfJson } from './part-of-json.ts'

const BUFFER_BYTES = 131_072
const MAX_LINE_BYTES = 256 * 1_048_576

/** Returns a key of a file. The inode number alone is not one, because that of a deleted file is used again. */
export function fileKey({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`
}

/**
 * The content of a regular file from its creation to its rotation or truncation. After a rename it is read through the open
 * descriptor.
 */
export class Generation {
  readonly mark: ContentMark
  key: string
  /** The descriptor that is read. */
  fd: number
  /** The time of the last write before the last search for rotated files. Files that were rotated later have no earlier time. */
  searchedMtimeNs: bigint
  /** When bytes were read last, in ms of `now`. */
  lastReadAt: number
  private readonly buffer = new LineBuffer(BUFFER_BYTES, false)
  private readonly counter: ChunkCounter
  /** The position at which the content was found to end inside a JSON object. */
  private insideJsonAt: number | undefined
  /** The time of the last write when nothing was left to read. */
  private readMtimeNs: bigint | undefined

  /**
   * @param start - Where reading starts.
   * @param searchedMtimeNs - The time of the last write before the last search for rotated files.
   */
  constructor(fd: number, now: number, start = 0, searchedMtimeNs?: bigint) {
    const stats = fstatSync(fd, { bigint: true })
    this.fd = fd
    this.key = fileKey(stats)
    this.searchedMtimeNs = searchedMtimeNs ?? stats.mtimeNs
    this.lastReadAt = now
    this.mark = new ContentMark(fd, start)
    this.counter = new ChunkCounter(start, start === 0)
  }

  /** Whether bytes of an incomplete last line were read. */
  get hasIncomplete(): boolean {
    return this.buffer.length > 0
  }

  /** Returns whether a file is this one and nothing is left to read. */
  isRead(stats: BigIntStats): boolean {
    return (
      Number(stats.size) === this.mark.position && stats.mtimeNs === this.readMtimeNs && fileKey(stats) === this.key
    )
  }

  /**
   * Returns the lines that were added.
   *
   * @returns Whether the file was truncated, so that it does not contain the rest of the content any more.
   * @throws The system's error.
   */
  *read(now: number): Generator<LineChunk, boolean> {
    const { mark, buffer } = this
    for (;;) {
      const { size, mtimeNs } = fstatSync(this.fd, { bigint: true })
      if (Number(size) < mark.position) return true
      if (Number(size) === mark.position && mtimeNs === this.readMtimeNs) return false
      buffer.makeRoom()
      const count = readSync(this.fd, buffer.bytes, buffer.end, buffer.bytes.length - buffer.end, mark.position)
      // The file may have been truncated and filled again at any time until now. Then the bytes are not those after `position`.
      if (!mark.isIn(this.fd)) return true
      if (count === 0) {
        this.readMtimeNs = mtimeNs
        return false
      }
      this.lastReadAt = now
      const chunk = this.add(count)
      if (chunk !== undefined) yield chunk
    }
  }

  /** Returns the lines of bytes that continue the content, and were read elsewhere: in a compressed copy. */
  *feed(bytes: Buffer): Generator<LineChunk> {
    const { buffer } = this
    for (let start = 0; start < bytes.length;) {
      buffer.makeRoom()
      const count = bytes.copy(buffer.bytes, buffer.end, start)
      start += count
      const chunk = this.add(count)
      if (chunk !== undefined) yield chunk
    }
  }

  /** Continues in another file, which has the same content up to `mark.position`. The old descriptor stays open. */
  continueIn(fd: number): void {
    this.fd = fd
    this.key = fileKey(fstatSync(fd, { bigint: true }))
    this.readMtimeNs = undefined
  }

  /** Returns the incomplete last line. Bytes that are read later continue it. */
  takeIncomplete(): LineChunk | undefined {
    return this.buffer.length === 0 ? undefined : this.counter.next(this.buffer.takeAll(), false)
  }

  /** Returns the incomplete last line if it was not continued for some time, and is not a part of a JSON object. */
  takeIncompleteAfter(millis: number, now: number): LineChunk | undefined {
    return now - this.lastReadAt < millis || this.endsInsideJson() ? undefined : this.takeIncomplete()
  }

  private endsInsideJson(): boolean {
    const { position } = this.mark
    if (this.insideJsonAt !== position && isPartOfJson(this.buffer.rest)) this.insideJsonAt = position
    return this.insideJsonAt === position
  }

  close(): void {
    closeSync(this.fd)
  }

  /** Adds bytes that were put at the end of the buffer. Returns the whole lines. */
  private add(count: number): LineChunk | undefined {
    const { buffer, mark, counter } = this
    const bytes = buffer.bytes.subarray(buffer.end, buffer.end + count)
    buffer.end += count
    mark.add(bytes)
    const lines = buffer.takeLines() ?? (buffer.length < MAX_LINE_BYTES ? undefined : buffer.takeAll())
    return lines && counter.next(lines, false)
  }
}
