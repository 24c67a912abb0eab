import type { BrotliDecompress, Gunzip, ZstdDecompress } from 'node:zlib'
import { withoutPrototype } from '../../options/own-members.ts'
import type { ByteSource } from './byte-source.ts'
import type { Compression } from './compression.ts'
import { StreamSource } from './stream-source.ts'

/** The maximum number of compressed bytes that are passed to the decompressor at once. */
const INPUT_BYTES = 65_536
/** The length of a block of decompressed bytes. */
const OUTPUT_BYTES = 262_144

type Decompressor = Gunzip | ZstdDecompress | BrotliDecompress

/**
 * A source of the decompressed bytes of another source. The thread pool decompresses one block ahead of the reader. All bytes before
 * an error are returned before it is thrown. A decompressor discards the bytes of the call that fails. A source that can be read again is
 * therefore decompressed a second time, with one byte for each call from that point on.
 */
export class DecompressedSource implements ByteSource {
  private readonly source: ByteSource
  private readonly compression: Compression
  private readonly input = Buffer.allocUnsafeSlow(INPUT_BYTES)
  private output!: StreamSource
  private sourceError: unknown
  /** Bytes after the end of a frame. Node's decompressor for zstd stops there, although another frame follows. */
  private nextFrame: Buffer | undefined
  private isClosed = false
  /** The number of compressed bytes that were accepted. */
  private accepted = 0
  /** The number of decompressed bytes that were returned. */
  private returned = 0
  /** The number of decompressed bytes that are not returned again. */
  private skipped = 0
  /** From which compressed byte on each is decompressed alone; undefined during the first read. */
  private failedAt: number | undefined

  constructor(source: ByteSource, compression: Compression) {
    this.source = source
    this.compression = compression
    this.decompress(undefined)
  }

  async read(target: Buffer, offset: number): Promise<number> {
    for (;;) {
      const count = await this.readOutput(target, offset)
      if (count > 0) {
        const known = Math.min(this.skipped, count)
        this.skipped -= known
        if (known === count) continue
        if (known > 0) target.copyWithin(offset, offset + known, offset + count)
        this.returned += count - known
        return count - known
      }
      if (this.isClosed) return 0
      const { sourceError, nextFrame } = this
      this.sourceError = this.nextFrame = undefined
      if (sourceError !== undefined) throw sourceError
      if (nextFrame === undefined) return 0
      this.decompress(nextFrame)
    }
  }

  close(): void {
    this.isClosed = true
    this.source.close()
    this.output.close()
  }

  /** Reads decompressed bytes. After the first error, it starts again. */
  private async readOutput(target: Buffer, offset: number): Promise<number> {
    try {
      return await this.output.read(target, offset)
    } catch (error) {
      if (this.failedAt !== undefined || this.source.rewind?.() !== true) throw error
      this.failedAt = this.accepted
      this.skipped = this.returned
      this.accepted = 0
      this.decompress(undefined)
      return this.output.read(target, offset)
    }
  }

  private decompress(first: Buffer | undefined): void {
    const decompressor = decompressorOf(this.compression)
    this.output = new StreamSource(decompressor)
    void this.pass(decompressor, first)
  }

  /** Passes the bytes of the source to the decompressor until one of them ends. */
  private async pass(decompressor: Decompressor, first: Buffer | undefined): Promise<void> {
    try {
      for (let bytes = first ?? (await this.readInput()); bytes.length > 0; bytes = await this.readInput()) {
        const written = decompressor.bytesWritten
        const hasFailed = await write(decompressor, bytes)
        const rest = bytes.subarray(decompressor.bytesWritten - written)
        if (!hasFailed) this.accepted += bytes.length - rest.length
        if (hasFailed || rest.length > 0) {
          if (!hasFailed && this.compression === 'zstd') this.nextFrame = Buffer.from(rest)
          return
        }
      }
    } catch (error) {
      this.sourceError = error
    }
    decompressor.end()
  }

  private async readInput(): Promise<Buffer> {
    const { failedAt = Infinity, accepted, input } = this
    const length = accepted < failedAt ? Math.min(failedAt - accepted, INPUT_BYTES) : 1
    return input.subarray(0, await this.source.read(input.subarray(0, length), 0))
  }
}

/** Passes bytes to a decompressor, which does not accept all of them if the compressed data ends before. Returns whether it has failed. */
function write(decompressor: Decompressor, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => resolve(false)
    decompressor.once('end', end)
    decompressor.write(bytes, (error) => {
      decompressor.off('end', end)
      resolve(Boolean(error))
    })
  })
}

/** Node copies options to an object with a prototype, and reads the functions of a stream from it. */
const noFunctions: object = {
  construct: undefined,
  destroy: undefined,
  final: undefined,
  flush: undefined,
  read: undefined,
  signal: undefined,
  transform: undefined,
  write: undefined,
  writev: undefined,
}

/**
 * Creates a decompressor that pauses while it has decompressed bytes that were not read yet. An error would discard such bytes, so none
 * exist when an error occurs.
 */
function decompressorOf(compression: Compression): Decompressor {
  const zlib = process.getBuiltinModule('node:zlib')
  const options = withoutPrototype({ ...noFunctions, chunkSize: OUTPUT_BYTES, highWaterMark: 1 })
  if (compression === 'gzip') return zlib.createGunzip(options)
  return compression === 'zstd' ? zlib.createZstdDecompress(options) : zlib.createBrotliDecompress(options)
}
