import { withoutPrototype } from '../../options/own-members.ts'

/** The compressions that are read. */
export type Compression = 'gzip' | 'zstd' | 'brotli'

/** Compressions that are recognized, so that their bytes are not taken for lines, but not read. */
export type ForeignCompression = 'bzip2' | 'xz' | 'lz4' | 'zip'

/** The first bytes of compressed files (RFC 1952, RFC 8878, and the formats of bzip2, xz, lz4 and zip). */
const magicNumbers: readonly (readonly [Compression | ForeignCompression, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
]

/** Returns the compression of an input that begins with these bytes; undefined for text and for brotli, which has no magic number. */
export function compressionOf(bytes: Uint8Array): Compression | ForeignCompression | undefined {
  // A line of text can begin with the letters BZh, but not with the number of the first block of bzip2, which follows after a digit.
  return magicNumbers.find(([name, magic]) => startsWith(bytes, magic) && (name !== 'bzip2' || bytes[4] === 0x31))?.[0]
}

/** Returns whether a compression is read. */
export function isReadable(compression: Compression | ForeignCompression): compression is Compression {
  return compression === 'gzip' || compression === 'zstd' || compression === 'brotli'
}

/** Returns whether more bytes are necessary to determine the compression or the encoding of an input. */
export function isTooShort(bytes: Uint8Array): boolean {
  const prefixes = [...magicNumbers.map(([, magic]) => magic), [0xff, 0xfe], [0xfe, 0xff]]
  return prefixes.some((prefix) => bytes.length < prefix.length && startsWith(prefix, bytes))
}

/** Returns whether an input that begins with these bytes is decompressed with brotli: its name ends so, or it is not text and brotli accepts it. */
export function isBrotli(file: string, bytes: Buffer): boolean {
  return bytes.length > 0 && !isText(bytes) && (file.endsWith('.br') || isText(decompressSample('brotli', bytes)))
}

/**
 * Decompresses the first bytes of an input, as far as they suffice. Returns no bytes if they are not compressed in this way.
 */
export function decompressSample(compression: Compression, bytes: Uint8Array): Buffer {
  const zlib = process.getBuiltinModule('node:zlib')
  const { Z_SYNC_FLUSH, ZSTD_e_flush, BROTLI_OPERATION_FLUSH } = zlib.constants
  try {
    if (compression === 'gzip') return zlib.gunzipSync(bytes, sampleOptions(Z_SYNC_FLUSH))
    if (compression === 'zstd') return zlib.zstdDecompressSync(bytes, sampleOptions(ZSTD_e_flush))
    return zlib.brotliDecompressSync(bytes, sampleOptions(BROTLI_OPERATION_FLUSH))
  } catch {
    return Buffer.alloc(0)
  }
}

function sampleOptions(finishFlush: number): { readonly finishFlush: number; readonly maxOutputLength: number } {
  return withoutPrototype({ finishFlush, maxOutputLength: 64 * 1_048_576 })
}

/** Returns whether bytes contain no control codes but those that text has. No bytes are not text. */
function isText(bytes: Buffer): boolean {
  // Tab, newline, vertical tab, form feed, carriage return, backspace and escape.
  return (
    bytes.length > 0 && !bytes.subarray(0, 4_096).some((byte) => byte < 0x20 && (byte < 8 || byte > 13) && byte !== 27)
  )
}

function startsWith(bytes: ArrayLike<number>, prefix: ArrayLike<number>): boolean {
  if (bytes.length < prefix.length) return false
  for (let index = 0; index < prefix.length; index++) if (bytes[index] !== prefix[index]) return false
  return true
}
