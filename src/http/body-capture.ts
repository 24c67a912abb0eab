import { utf8Length } from '../encode/json/quote.ts'

/** Collects a copy of a body, up to a limit. */
export class BodyCapture {
  /** The number of bytes so far, including those over the limit. */
  size = 0
  /** Whether the whole body was received or written. */
  isComplete = false
  readonly #maxBytes: number
  /** A buffer that begins with the copy. Undefined after `release`. */
  #buffer: Uint8Array | undefined = new Uint8Array(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Adds a part of the body: text or bytes; anything else is ignored. Bytes are copied, because a program may reuse them. */
  add(chunk: unknown): void {
    if (typeof chunk === 'string') this.#addText(chunk)
    else if (chunk instanceof Uint8Array) this.#addBytes(chunk)
  }

  /** Frees the copy. What is added later is not kept. */
  release(): void {
    this.#buffer = undefined
  }

  /** Whether the body is longer than the limit. */
  get isTooLong(): boolean {
    return this.size > this.#maxBytes
  }

  /** Returns the body as text; undefined if it is too long, incomplete, not UTF-8, or released. */
  text(): string | undefined {
    if (this.#buffer === undefined || !this.isComplete) return undefined
    try {
      return decoder.decode(this.#buffer.subarray(0, this.size))
    } catch {
      return undefined
    }
  }

  #addText(text: string): void {
    // A text has at least as many bytes as UTF-16 units, so a long one need not be encoded.
    if (this.size + text.length <= this.#maxBytes) return this.#addBytes(encoder.encode(text))
    this.size += utf8Length(text)
    this.release()
  }

  #addBytes(bytes: Uint8Array): void {
    const start = this.size
    this.size += bytes.length
    if (this.isTooLong) this.release()
    if (this.#buffer === undefined) return
    if (this.#buffer.length < this.size) this.#buffer = this.#enlarge(this.#buffer)
    this.#buffer.set(bytes, start)
  }

  /** Returns a larger buffer with the same content. A body that arrives in one part fits exactly. */
  #enlarge(buffer: Uint8Array): Uint8Array {
    const enlarged = new Uint8Array(Math.min(this.#maxBytes, Math.max(this.size, buffer.length * 2)))
    enlarged.set(buffer)
    return enlarged
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })
