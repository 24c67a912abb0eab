import { readSync } from 'node:fs'

const HEAD_BYTES = 1_024
const TAIL_BYTES = 256

/**
 * The first bytes of a file, and the last ones that were read. They identify its content when its inode does not: after a truncation,
 * and in a copy or a compressed file.
 */
export class ContentMark {
  /** The first bytes of the file, at most 1 KiB. */
  head: Buffer = Buffer.alloc(0)
  /** Where the next byte is read. */
  position: number
  /** The last bytes before `position`, at most 256. */
  private tail: Buffer = Buffer.alloc(0)

  /** @param position - Where reading starts. The bytes before it are read from the file. */
  constructor(fd: number, position: number) {
    this.position = position
    if (position === 0) return
    this.head = readAt(fd, 0, HEAD_BYTES)
    const start = Math.max(0, position - TAIL_BYTES)
    this.tail = readAt(fd, start, position - start)
  }

  /** Adds bytes that were read at `position`. */
  add(bytes: Buffer): void {
    const { head, position } = this
    const known = head.length - position
    if (head.length < HEAD_BYTES && known < bytes.length) {
      this.head = Buffer.concat([head, bytes.subarray(known, known + HEAD_BYTES - head.length)])
    }
    this.tail = Buffer.from(
      bytes.length >= TAIL_BYTES
        ? bytes.subarray(-TAIL_BYTES)
        : Buffer.concat([this.tail, bytes]).subarray(-TAIL_BYTES),
    )
    this.position += bytes.length
  }

  /** Returns whether the first bytes of a file, and the bytes before `position`, are those that were read. */
  isIn(fd: number): boolean {
    const { head, tail, position } = this
    return readAt(fd, 0, head.length).equals(head) && readAt(fd, position - tail.length, tail.length).equals(tail)
  }

  /** Returns whether a content that begins with these bytes can be the same one. It is false if either has no bytes. */
  hasHead(bytes: Buffer): boolean {
    return haveSameStart(this.head, bytes)
  }
}

/** Returns the first bytes of a file, by which it is recognized. */
export function headOf(fd: number): Buffer {
  return readAt(fd, 0, HEAD_BYTES)
}

/** Returns whether two contents begin with the same bytes. */
export function haveSameStart(a: Buffer, b: Buffer): boolean {
  const length = Math.min(a.length, b.length)
  return length > 0 && a.compare(b, 0, length, 0, length) === 0
}

function readAt(fd: number, position: number, length: number): Buffer {
  if (length === 0) return Buffer.alloc(0)
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position))
}
