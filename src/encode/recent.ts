/**
 * What was made of the texts seen last, some hundreds of them. Two generations: when the younger one is full it becomes
 * the older one, and what is used meanwhile moves back. So texts that hold data (each of them new) do not crowd out those
 * that are in use.
 */
export class Recent<T> {
  private younger = new Map<string, T>()
  private older = new Map<string, T>()

  get(text: string): T | undefined {
    const known = this.younger.get(text)
    if (known !== undefined) return known
    const older = this.older.get(text)
    if (older !== undefined) this.keep(text, older)
    return older
  }

  keep(text: string, made: T): void {
    if (text.length > longestKept) return
    if (this.younger.size >= generationSize) {
      this.older = this.younger
      this.younger = new Map()
    }
    this.younger.set(text, made)
  }
}

const generationSize = 500
const longestKept = 1_000
