import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** Reads messages of Protocol Buffers. Fields that are not needed, or not known, are skipped. */
export class ProtoReader extends BinaryReader {
  private readonly content: Buffer

  constructor(bytes: Buffer) {
    super(bytes)
    this.content = bytes
  }

  /**
   * Reads the length of a message or text, and returns where it ends.
   *
   * @param limit - the end of the message that contains it
   * @throws RangeError if it ends later.
   */
  endOfField(limit: number): number {
    const length = this.uint32()
    const end = this.pos + length
    if (end > limit) throw new RangeError(`a field of ${length} bytes ends after its message`)
    return end
  }

  /**
   * Skips the value of a field that is not needed.
   *
   * @throws RangeError if it ends after its message.
   */
  skipField(tag: number, limit: number): void {
    const wireType: WireType = tag & 7
    if (wireType === WireType.LengthDelimited) this.pos = this.endOfField(limit)
    else {
      this.skip(wireType, tag >>> 3)
      if (this.pos > limit) throw new RangeError('a field ends after its message')
    }
  }

  /** Reads the text up to a position. Invalid UTF-8 is replaced. */
  textTo(end: number): string {
    const { content, pos } = this
    this.pos = end
    return content.toString('utf8', pos, end)
  }

  /** Reads the bytes up to a position as hexadecimal digits. */
  hexTo(end: number): string {
    const { content, pos } = this
    this.pos = end
    return content.toString('hex', pos, end)
  }

  /** Returns a copy of the bytes up to a position. */
  bytesTo(end: number): Uint8Array {
    const { content, pos } = this
    this.pos = end
    return new Uint8Array(content.subarray(pos, end))
  }

  /** Reads 64 bits as nanoseconds, and returns milliseconds with a fraction. */
  millisOfNanos(): number {
    const low = this.fixed32()
    const high = this.fixed32()
    // 2^32 ns are 4,294.967296 ms.
    return high * 4_294.967_296 + low / 1_000_000
  }
}

/** Returns the tag of a field with a length. */
export function lengthTag(field: number): number {
  return (field << 3) | WireType.LengthDelimited
}

/** Returns the tag of a field with 64 bits. */
export function fixed64Tag(field: number): number {
  return (field << 3) | WireType.Bit64
}

/** Returns the tag of a field with 32 bits. */
export function fixed32Tag(field: number): number {
  return (field << 3) | WireType.Bit32
}

/** Returns the tag of a field with a variable length integer. */
export function varintTag(field: number): number {
  return (field << 3) | WireType.Varint
}
