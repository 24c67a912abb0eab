/**
 * A cache of the results for recently seen texts, with two generations of 500 entries. When the younger generation is full, it replaces the
 * older one; an entry of the older one that is used is also added to the younger one. So texts that occur only once, because they contain
 * data, do not evict those in use.
 */
export class RecentCache<T> {
  private younger = new Map<string, T>()
  private older = new Map<string, T>()

  get(text: string): T | undefined {
    const youngerResult = this.younger.get(text)
    if (youngerResult !== undefined) return youngerResult
    const olderResult = this.older.get(text)
    if (olderResult !== undefined) this.set(text, olderResult)
    return olderResult
  }

  /** Adds a result, unless the text is too long to be kept. */
  set(text: string, result: T): void {
    if (text.length > maxTextLength) return
    if (this.younger.size >= generationSize) {
      this.older = this.younger
      this.younger = new Map()
    }
    this.younger.set(text, result)
  }
}

const generationSize = 500
/** In UTF-16 units. */
const maxTextLength = 1_000
