/**
 * A cache of the results for recently seen texts, with two generations of 500 entries. A full younger generation becomes the older one,
 * and an entry that is used moves to the younger one. So texts that contain data, each of which occurs once, do not evict those in use.
 */
export class RecentCache<T> {
  private younger = new Map<string, T>()
  private older = new Map<string, T>()

  get(text: string): T | undefined {
    const known = this.younger.get(text)
    if (known !== undefined) return known
    const older = this.older.get(text)
    if (older !== undefined) this.keep(text, older)
    return older
  }

  keep(text: string, result: T): void {
    if (text.length > longestKept) return
    if (this.younger.size >= generationSize) {
      this.older = this.younger
      this.younger = new Map()
    }
    this.younger.set(text, result)
  }
}

const generationSize = 500
const longestKept = 1_000
