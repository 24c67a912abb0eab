const idPattern = /^[\da-f]{32}$/
const wordsPerId = 4
const minSlots = 16

/** A set of trace IDs that uses 32 to 64 bytes for each, a fraction of what a set of strings uses. */
export class TraceIdSet {
  /** A hash table with linear probing. Each slot has the four 32-bit words of an ID, or zeros, which are not a valid ID. */
  #words = new Uint32Array(minSlots * wordsPerId)
  #size = 0
  // Random, so that the writer of a log cannot choose IDs that have the same slot.
  readonly #seed = Math.floor(Math.random() * 0x1_0000_0000)
  readonly #id = new Uint32Array(wordsPerId)

  /** The number of IDs. */
  get size(): number {
    return this.#size
  }

  /** Adds the ID of a trace, 32 lowercase hexadecimal digits. Anything else is ignored. */
  add(traceId: string): void {
    if (!this.#parse(traceId)) return
    if ((this.#size + 1) * 2 * wordsPerId > this.#words.length) this.#grow()
    const at = this.#find(this.#words, this.#id)
    if (!isEmpty(this.#words, at)) return
    this.#words.set(this.#id, at)
    this.#size++
  }

  has(traceId: string): boolean {
    return this.#parse(traceId) && !isEmpty(this.#words, this.#find(this.#words, this.#id))
  }

  #parse(traceId: string): boolean {
    if (!idPattern.test(traceId)) return false
    for (let word = 0; word < wordsPerId; word++) {
      this.#id[word] = Number.parseInt(traceId.slice(word * 8, word * 8 + 8), 16)
    }
    return !isEmpty(this.#id, 0)
  }

  #grow(): void {
    const words = new Uint32Array(2 * this.#words.length)
    for (let at = 0; at < this.#words.length; at += wordsPerId) {
      if (isEmpty(this.#words, at)) continue
      const id = this.#words.subarray(at, at + wordsPerId)
      words.set(id, this.#find(words, id))
    }
    this.#words = words
  }

  /** Returns where an ID is in a table, or where it would be added. */
  #find(words: Uint32Array, id: Uint32Array): number {
    let hash = this.#seed
    for (let word = 0; word < wordsPerId; word++) {
      hash = Math.imul(hash ^ id[word]!, 0x9e37_79b1)
      hash ^= hash >>> 15
    }
    const mask = words.length / wordsPerId - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = slot * wordsPerId
      if (isEmpty(words, at) || isEqual(words, at, id)) return at
    }
  }
}

function isEmpty(words: Uint32Array, at: number): boolean {
  return (words[at]! | words[at + 1]! | words[at + 2]! | words[at + 3]!) === 0
}

function isEqual(words: Uint32Array, at: number, id: Uint32Array): boolean {
  return words[at] === id[0] && words[at + 1] === id[1] && words[at + 2] === id[2] && words[at + 3] === id[3]
}
