import { closeSync, readSync } from 'node:fs'
import { errorCode } from '../../exporters/fd/write-errors.ts'
import type { ByteSource } from './byte-source.ts'

/** How often a descriptor is read again that has no bytes at the moment, in ms. */
const RETRY_MILLIS = 50

/**
 * A source of a descriptor whose reads do not wait for another process: a regular file or a device. Reading is synchronous, because
 * that is several times faster than a stream.
 */
export class DescriptorSource implements ByteSource {
  private readonly fd: number
  private readonly start: number | null
  private position: number | null
  private isClosed = false
  /** Ends the wait for bytes. */
  private wake: (() => void) | undefined

  /** @param position - Where reading starts. With null, reading starts at and moves the position of the descriptor. */
  constructor(fd: number, position: number | null) {
    this.fd = fd
    this.start = position
    this.position = position
  }

  read(target: Buffer, offset: number): number | Promise<number> {
    if (this.isClosed) return 0
    try {
      const count = readSync(this.fd, target, offset, target.length - offset, this.position)
      if (this.position !== null) this.position += count
      return count
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') return this.readLater(target, offset)
      // Windows reports the end of standard input as an error.
      if (errorCode(error) === 'EOF') return 0
      throw error
    }
  }

  private async readLater(target: Buffer, offset: number): Promise<number> {
    await new Promise<void>((resolve) => {
      this.wake = resolve
      setTimeout(resolve, RETRY_MILLIS)
    })
    return this.read(target, offset)
  }

  rewind(): boolean {
    if (this.position === null || this.isClosed) return false
    this.position = this.start
    return true
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    // Standard input is not closed, because the number of a closed descriptor is used for the next file.
    if (this.fd !== 0) closeSync(this.fd)
    this.wake?.()
  }
}
