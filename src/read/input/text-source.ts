import { readSync } from 'node:fs'
import { addMembers } from '../../options/define-member.ts'
import { PrefixedSource, type ByteSource } from './byte-source.ts'
import { compressionOf, isBrotli, isReadable, isTooShort } from './compression.ts'
import { DecompressedSource } from './decompressed-source.ts'
import { byteOrderMark, Utf16Source } from './utf16-source.ts'

/** The first bytes of an input, from which its compression and encoding are determined. */
const SAMPLE_BYTES = 65_536

/** The bytes of an input as UTF-8, and what was done to get them. */
export interface TextSource {
  readonly source: ByteSource
  /** Whether the bytes are those of the input, neither decompressed nor converted. */
  readonly isPlain: boolean
}

/**
 * Returns the text of an input as UTF-8: decompressed if its content is compressed with gzip, zstd or brotli, converted if it
 * begins with the byte order mark of UTF-16.
 *
 * @param file - The name of the input, because the content of brotli is not always recognized.
 * @throws The system's error; SLUICE_COMPRESSION_UNSUPPORTED for compressions that are not read.
 */
export async function textSource(file: string, source: ByteSource): Promise<TextSource> {
  const sample = await sampleOf(source)
  const rest = new PrefixedSource(sample, source)
  const compression = compressionOf(sample) ?? (isBrotli(file, sample) ? 'brotli' : undefined)
  if (compression === undefined) return decodedSource(sample, source, true)
  if (!isReadable(compression)) {
    throw addMembers(new Error(`it is compressed with ${compression}; decompress it first`), {
      code: 'SLUICE_COMPRESSION_UNSUPPORTED',
    })
  }
  const decompressed = new DecompressedSource(rest, compression)
  return decodedSource(await sampleOf(decompressed), decompressed, false)
}

/** Returns whether a regular file is text that is neither decompressed nor converted. */
export function isPlainFile(file: string, fd: number): boolean {
  const bytes = Buffer.allocUnsafeSlow(SAMPLE_BYTES)
  const sample = bytes.subarray(0, readSync(fd, bytes, 0, SAMPLE_BYTES, 0))
  if (compressionOf(sample) !== undefined || isBrotli(file, sample)) return false
  return byteOrderMark(sample) === undefined
}

function decodedSource(sample: Buffer, source: ByteSource, isPlain: boolean): TextSource {
  const mark = byteOrderMark(sample)
  // The byte order mark of UTF-8 is a part of the first line.
  if (mark === undefined) return { source: new PrefixedSource(sample, source), isPlain }
  const text = new PrefixedSource(sample.subarray(mark.length), source)
  return { source: new Utf16Source(text, mark.encoding), isPlain: false }
}

/** Reads the first bytes, without waiting for more of them than are necessary. */
async function sampleOf(source: ByteSource): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(SAMPLE_BYTES)
  let length = 0
  while (isTooShort(bytes.subarray(0, length))) {
    const count = await source.read(bytes, length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}
