import * as buffer from 'node:buffer'
import type { ByteBuffers, OpenBytes } from '../../pipeline/batch-buffer.ts'
import { builtinModule } from './builtin-module.ts'

/** The length of pooled buffers. Chunks are cut at 68 KiB or less, so nearly all fit. Longer ones use spares (`maxSpares`). */
export const pooledLength: number = 72 * 1024
/** A text of this length or more uses a pooled buffer, however many are in use. */
const alwaysPooledLength = 48 * 1024
const maxPooled = 16
/** Exporters with larger batches share a few longer buffers. */
const maxSpares = 4
const maxSpareLength = 1024 * 1024

/** A program that logs only a few lines does not load `node:v8`, which takes 1 ms. */
const textsWithoutV8 = 16
const maxLengthWithoutV8 = 4096
let textsEncoded = 0

/** Returns whether to encode a text without `isOneByte`. */
function isEarly(text: string): boolean {
  return textsEncoded < textsWithoutV8 && text.length <= maxLengthWithoutV8
}

let isOneByte = (text: string): boolean => {
  // Other runtimes may not provide it. Then every text is treated as two-byte text.
  isOneByte = builtinModule('node:v8')?.isStringOneByteRepresentation ?? (() => false)
  return isOneByte(text)
}
const transcode: typeof buffer.transcode | undefined = buffer.transcode

// Keep a U+FEFF at the beginning of a text.
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/**
 * Creates buffers that encode chunks into pooled memory: a steady stream of ASCII allocates nothing. Short texts use only a few
 * pooled buffers; if more are queued, each gets a buffer of its own length. So a queue of many short chunks uses no more memory than
 * the number of bytes by which it is limited.
 *
 * Measured for chunks of 230-byte records, per record: ASCII by `write` as `latin1` takes 22 ns, by `byteLength` and a write 44 ns.
 * Text that V8 stores as two bytes per character takes 70 ns by way of UTF-16, and 370 ns by `byteLength` and a write.
 *
 * @param form - `latin1`: the text represents bytes, one byte per character.
 */
export function byteBuffers(form: 'utf8' | 'latin1' = 'utf8'): ByteBuffers {
  const isBinary = form === 'latin1'
  const pool: Buffer[] = []
  const spares: Buffer[] = []
  /** The expected length of the next chunk that is built from parts: a little more than that of the last one. */
  let expectedLength = 0
  /** The number of pooled buffers that were created and not discarded by `release`, including those that were never returned. */
  let createdBuffers = 0
  let scratch = Buffer.alloc(0)

  function bufferFor(length: number): Buffer {
    if (length > pooledLength) return spareFor(length)
    const pooled = pool.pop()
    if (pooled !== undefined) return pooled
    if (length < alwaysPooledLength && createdBuffers >= maxPooled) return Buffer.allocUnsafeSlow(length)
    createdBuffers++
    return Buffer.allocUnsafeSlow(pooledLength)
  }

  function spareFor(length: number): Buffer {
    const index = spares.findIndex((spare) => spare.length >= length)
    return index < 0 ? Buffer.allocUnsafeSlow(length) : spares.splice(index, 1)[0]!
  }

  function release(bytes: Uint8Array): void {
    const { byteLength } = bytes.buffer
    if (byteLength > pooledLength && byteLength <= maxSpareLength && spares.length < maxSpares) {
      spares.push(Buffer.from(bytes.buffer))
    }
    if (byteLength !== pooledLength) return
    if (pool.length < maxPooled) pool.push(Buffer.from(bytes.buffer))
    else createdBuffers--
  }

  function encode(text: string): Uint8Array {
    if (isBinary) {
      const bytes = bufferFor(text.length)
      return bytes.subarray(0, bytes.write(text, 0, text.length, 'latin1'))
    }
    if (isEarly(text)) {
      textsEncoded++
      return Buffer.from(text)
    }
    if (!isOneByte(text)) return transcode === undefined ? Buffer.from(text) : throughUtf16(text, transcode)
    const bytes = bufferFor(text.length)
    const written = bytes.subarray(0, bytes.write(text, 0, text.length, 'latin1'))
    if (buffer.isAscii(written)) return written
    release(written)
    return Buffer.from(text)
  }

  function throughUtf16(text: string, convert: typeof buffer.transcode): Uint8Array {
    if (scratch.length < text.length * 2) scratch = Buffer.allocUnsafeSlow(Math.max(text.length * 2, 2 * pooledLength))
    const units = scratch.subarray(0, scratch.write(text, 0, text.length * 2, 'utf16le'))
    if (scratch.length > 4 * pooledLength) scratch = Buffer.alloc(0)
    try {
      return convert(units, 'utf16le', 'utf8')
    } catch {
      return Buffer.from(text) // a lone surrogate, which the general method replaces with U+FFFD
    }
  }

  function append(open: OpenBytes | undefined, text: string): OpenBytes {
    if (open === undefined) return append({ bytes: bufferFor(Math.max(pooledLength, expectedLength)), length: 0 }, text)
    const end = open.length + text.length
    if (end <= open.bytes.length && (isBinary || (!isEarly(text) && isOneByte(text)))) {
      const bytes = open.bytes as Buffer
      bytes.write(text, open.length, text.length, 'latin1')
      if (isBinary || buffer.isAscii(bytes.subarray(open.length, end))) {
        open.length = end
        return open
      }
    }
    return appendBytes(open, encode(text))
  }

  function appendBytes(open: OpenBytes, more: Uint8Array): OpenBytes {
    const end = open.length + more.length
    if (end > open.bytes.length) {
      const { bytes } = open
      const larger = bufferFor(end * 2)
      larger.set(bytes.subarray(0, open.length))
      open.bytes = larger
      release(bytes)
    }
    open.bytes.set(more, open.length)
    release(more)
    open.length = end
    return open
  }

  function finish({ bytes, length }: OpenBytes): Uint8Array {
    // Leave room for a chunk that is a little longer.
    expectedLength = Math.min(length + (length >> 3), maxSpareLength)
    const used = bytes.subarray(0, length)
    const keepsBuffer =
      bytes.length === pooledLength
        ? length >= alwaysPooledLength || createdBuffers <= maxPooled
        : length * 2 > bytes.length
    if (keepsBuffer) return used
    const copy = Buffer.allocUnsafeSlow(length)
    copy.set(used)
    release(used)
    return copy
  }

  function decode(bytes: Uint8Array): string {
    return isBinary
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
      : decoder.decode(bytes)
  }

  return { encode, decode, append, finish, release }
}
