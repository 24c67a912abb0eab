import type { Transform } from 'node:stream'
import type { ByteSource } from './byte-source.ts'
import type { Compression } from './compression.ts'
import { StreamSource } from './stream-source.ts'

/** How many compressed bytes are passed to the decompressor at a time. */
const INPUT_BYTES = 65_536
/** The length of a block of decompressed bytes. */
const OUTPUT_BYTES = 262_144

/**
 * A source of the decompressed bytes of another source. Decompression is in the thread pool, one block ahead of the reader. All
 * bytes before an error are returned before it is thrown.
 */
export class DecompressedSource implements ByteSource {
  private readonly source: ByteSource
  private readonly output: StreamSource
  private sourceError: unknown

  constructor(source: ByteSource, compression: Compression) {
    this.source = source
    const decompressor = decompressorOf(compression)
    this.output = new StreamSource(decompressor)
    void this.pass(decompressor)
  }

  async read(target: Buffer, offset: number): Promise<number> {
    const count = await this.output.read(target, offset)
    if (count > 0 || this.sourceError === undefined) return count
    const error = this.sourceError
    this.sourceError = undefined
    throw error
  }

  close(): void {
    this.source.close()
    this.output.close()
  }

  /** Passes the bytes of the source to the decompressor. */
  private async pass(decompressor: Transform): Promise<void> {
    const bytes = Buffer.allocUnsafeSlow(INPUT_BYTES)
    try {
      for (let count; (count = await this.source.read(bytes, 0)) > 0;) {
        const isFailed = await new Promise((resolve) => decompressor.write(bytes.subarray(0, count), resolve))
        if (isFailed) return
      }
    } catch (error) {
      this.sourceError = error
    }
    decompressor.end()
  }
}

/**
 * Creates a decompressor that stops as soon as it has decompressed bytes that were not read. An error discards such bytes, and so
 * there are none when an error occurs.
 */
function decompressorOf(compression: Compression): Transform {
  const zlib = process.getBuiltinModule('node:zlib')
  const options = { chunkSize: OUTPUT_BYTES, highWaterMark: 1 }
  if (compression === 'gzip') return zlib.createGunzip(options)
  return compression === 'zstd' ? zlib.createZstdDecompress(options) : zlib.createBrotliDecompress(options)
}
