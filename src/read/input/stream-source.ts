import type { Readable } from 'node:stream'
import type { ByteSource } from './byte-source.ts'

/** A source of a stream: a pipe, a socket or a terminal, for whose bytes the event loop waits. */
export class StreamSource implements ByteSource {
  private readonly stream: Readable
  /** Bytes that the stream has returned and for which there was no space. */
  private rest: Buffer | undefined
  private hasEnded = false
  private error: unknown
  /** Ends the wait for bytes. */
  private wake: (() => void) | undefined

  constructor(stream: Readable) {
    this.stream = stream
    const wake = (): void => this.wake?.()
    const end = (): void => {
      this.hasEnded = true
      wake()
    }
    stream.on('readable', wake).on('end', end).on('close', end)
    stream.on('error', (error) => {
      this.error = error
      end()
    })
  }

  read(target: Buffer, offset: number): number | Promise<number> {
    const bytes = this.rest ?? (this.stream.read() as Buffer | null)
    if (bytes === null) return this.hasEnded ? this.end() : this.readLater(target, offset)
    const count = bytes.copy(target, offset)
    this.rest = count < bytes.length ? bytes.subarray(count) : undefined
    return count
  }

  close(): void {
    this.rest = undefined
    this.error = undefined
    this.hasEnded = true
    this.stream.destroy()
    this.wake?.()
  }

  private end(): number {
    const { error } = this
    this.error = undefined
    if (error !== undefined) throw error
    return 0
  }

  private async readLater(target: Buffer, offset: number): Promise<number> {
    await new Promise<void>((resolve) => {
      this.wake = resolve
    })
    this.wake = undefined
    return this.read(target, offset)
  }
}
