import type { ByteBuffers } from '../pipeline/chunk.ts'

/** A chunk is cut near 64 KiB, so nearly all fit; larger ones get a buffer of their own. */
const pooledLength = 72 * 1024
const maxPooled = 16

/** Encodes chunks into pooled buffers: a steady stream allocates nothing. */
export function byteBuffers(): ByteBuffers {
  const pool: Buffer[] = []
  return {
    encode(text: string): Uint8Array {
      const length = Buffer.byteLength(text)
      const buffer = length > pooledLength ? Buffer.allocUnsafeSlow(length) : (pool.pop() ?? Buffer.allocUnsafeSlow(pooledLength))
      // Of equal length means ASCII, which Node copies faster as latin1.
      buffer.write(text, 0, length, length === text.length ? 'latin1' : 'utf8')
      return buffer.subarray(0, length)
    },
    release(bytes: Uint8Array): void {
      if (bytes.buffer.byteLength === pooledLength && pool.length < maxPooled) pool.push(Buffer.from(bytes.buffer))
    },
  }
}
