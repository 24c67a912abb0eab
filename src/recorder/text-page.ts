import type { ByteBuffers, OpenBytes } from '../pipeline/batch-buffer.ts'

/** The length at which appended text is encoded, in UTF-16 units. Until then, it is a string that is a tree of its parts. */
const pieceLength = 16_384

/** A record whose text is in a page. */
export interface TextInPage<R extends TextInPage<R>> {
  page: TextPage<R> | undefined
  /** Where the text starts in the page, in UTF-16 units. */
  start: number
  /** The length of the text, in UTF-16 units. */
  readonly length: number
}

/** The texts of several held records of any keys, one after the other, as bytes. */
export class TextPage<R extends TextInPage<R>> {
  /** The records whose texts were added. Those with another `page` are no longer in it. */
  readonly records: R[] = []
  /** The length of all texts that were added, in UTF-16 units. */
  length = 0
  /** The length of the texts that are still held, in UTF-16 units. */
  heldLength = 0
  private readonly buffers: ByteBuffers
  private unencodedText = ''
  private openBytes: OpenBytes | undefined
  private closedBytes: Uint8Array | undefined
  /** The decoded bytes, from the first `textOf` to `endReading`. A page that is all ASCII is not decoded as a whole. */
  private decodedText: string | undefined

  constructor(buffers: ByteBuffers) {
    this.buffers = buffers
  }

  /** The memory of the texts in bytes. Until the page is closed, one byte for each UTF-16 unit. */
  get byteLength(): number {
    if (this.closedBytes === undefined) return this.length
    const { length, buffer } = this.closedBytes
    // A buffer that is mostly unused is one of the few that are kept for reuse.
    return length * 2 > buffer.byteLength ? buffer.byteLength : length
  }

  /** Whether much text is not encoded yet. */
  get isEncodingDue(): boolean {
    return this.unencodedText.length >= pieceLength / 2
  }

  /** Whether less than half of the texts is still held. */
  get isSparse(): boolean {
    return this.heldLength * 2 < this.length
  }

  /** Appends a text. Throws only if the stack is exhausted, and then before anything was added. */
  append(held: R, text: string): void {
    if (this.unencodedText.length >= pieceLength) this.encode()
    this.records.push(held)
    held.page = this
    held.start = this.length
    this.unencodedText += text
    this.length += text.length
    this.heldLength += text.length
  }

  /** Returns the text of a record of this page. */
  textOf({ start, length }: R): string {
    this.encode()
    const bytes = this.closedBytes ?? this.openBytes!.bytes.subarray(0, this.openBytes!.length)
    // With ASCII text only, positions in the text and in the bytes are equal.
    if (bytes.length === this.length) return this.buffers.decode(bytes.subarray(start, start + length))
    return (this.decodedText ??= this.buffers.decode(bytes)).slice(start, start + length)
  }

  /** Forgets the text that was decoded for reading. */
  endReading(): void {
    this.decodedText = undefined
  }

  /** Encodes all text, and frees the memory that is not used. No text may be added afterwards. */
  close(): void {
    this.encode()
    if (this.openBytes !== undefined) this.closedBytes = this.buffers.finish(this.openBytes)
    this.openBytes = undefined
  }

  /** Frees the memory. An open page can be used again. */
  free(): void {
    if (this.closedBytes !== undefined) this.buffers.release(this.closedBytes)
    this.closedBytes = undefined
    if (this.openBytes !== undefined) this.openBytes.length = 0
    this.unencodedText = ''
    this.decodedText = undefined
    this.records.length = 0
    this.length = 0
    this.heldLength = 0
  }

  /** Encodes all text that was appended. */
  encode(): void {
    if (this.unencodedText === '') return
    this.decodedText = undefined
    this.openBytes = this.buffers.append(this.openBytes, this.unencodedText)
    this.unencodedText = ''
  }
}
