import type { ByteSource } from './byte-source.ts'

/** How many bytes of UTF-16 are converted at a time. */
const INPUT_BYTES = 65_536

/** The encoding of a text, and the length of its byte order mark. */
export interface TextEncodingMark {
  readonly encoding: 'utf-16le' | 'utf-16be'
  readonly length: number
}

/** Returns the byte order mark of UTF-16 that a text begins with, if it has one. */
export function byteOrderMark(bytes: Uint8Array): TextEncodingMark | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', length: 2 }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', length: 2 }
  return undefined
}

/** A source that converts UTF-16 to UTF-8. */
export class Utf16Source implements ByteSource {
  private readonly source: ByteSource
  private readonly decoder: InstanceType<typeof TextDecoder>
  private readonly bytes = Buffer.allocUnsafeSlow(INPUT_BYTES)
  private converted: Buffer = Buffer.alloc(0)
  private hasEnded = false

  constructor(source: ByteSource, encoding: 'utf-16le' | 'utf-16be') {
    this.source = source
    this.decoder = new TextDecoder(encoding)
  }

  async read(target: Buffer, offset: number): Promise<number> {
    while (this.converted.length === 0 && !this.hasEnded) {
      const count = await this.source.read(this.bytes, 0)
      this.hasEnded = count === 0
      this.converted = Buffer.from(this.decoder.decode(this.bytes.subarray(0, count), { stream: count > 0 }))
    }
    const count = this.converted.copy(target, offset)
    this.converted = this.converted.subarray(count)
    return count
  }

  close(): void {
    this.source.close()
  }
}
