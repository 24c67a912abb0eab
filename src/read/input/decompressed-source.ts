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
 * A source of the decompressed bytes of another source. The thread pool decompresses one block ahead of the reader. All blocks before
 * an error are returned before it is thrown.
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

  constructor(source: ByteSource, compression: Compression) {
    this.source = source
    this.compression = compression
    this.decompress(undefined)
  }

  async read(target: Buffer, offset: number): Promise<number> {
    for (;;) {
      const count = await this.output.read(target, offset)
      if (count > 0 || this.isClosed) return count
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
    return this.input.subarray(0, await this.source.read(this.input, 0))
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

/**
 * Creates a decompressor that pauses while it has decompressed bytes that were not read yet. An error would discard such bytes, so none
 * exist when an error occurs.
 */
function decompressorOf(compression: Compression): Decompressor {
  const zlib = process.getBuiltinModule('node:zlib')
  const options = withoutPrototype({ chunkSize: OUTPUT_BYTES, highWaterMark: 1 })
  if (compression === 'gzip') return zlib.createGunzip(options)
  return compression === 'zstd' ? zlib.createZstdDecompress(options) : zlib.createBrotliDecompress(options)
}
