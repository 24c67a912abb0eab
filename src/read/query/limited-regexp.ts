import { QueryTimeoutError } from './query-timeout-error.ts'
import { directLength, directLengthWithoutLoops } from './regexp-cost.ts'
import { TimeLimit } from './time-limit.ts'

/** A regular expression that cannot run longer than a time limit. */
export class LimitedRegExp {
  private readonly expression: RegExp
  private readonly limit: TimeLimit
  /** The length of the longest texts that are searched without a limit, in UTF-16 units. */
  private directLength: number
  private isAnalyzed: boolean

  constructor(expression: RegExp, limit: TimeLimit) {
    this.expression = expression
    this.limit = limit
    this.directLength = directLengthWithoutLoops(expression)
    this.isAnalyzed = this.directLength > 0
  }

  /**
   * Returns whether a text has a match.
   *
   * @throws QueryTimeoutError if the search takes longer than the limit
   */
  test(text: string): boolean {
    const { limit, expression } = this
    if (limit.isRunning) {
      limit.expression = expression
      const isMatch = this.search(text)
      limit.expression = undefined
      return isMatch
    }
    if (!this.isAnalyzed) this.analyze()
    if (text.length <= this.directLength) return this.search(text)
    let isMatch = false
    const isInTime = limit.run(() => {
      isMatch = this.search(text)
    })
    if (!isInTime) throw new QueryTimeoutError(expression, `${limit.millis} ms`)
    return isMatch
  }

  /** Finds out how long texts can be that need no limit. Most expressions of queries are analyzed in a few milliseconds. */
  private analyze(): void {
    this.isAnalyzed = true
    new TimeLimit(maxAnalysisMillis).run(() => {
      this.directLength = directLength(this.expression)
    })
  }

  private search(text: string): boolean {
    try {
      return this.expression.test(text)
    } catch {
      // The stack of the engine overflowed after some millions of characters, or the expression is too large to be compiled.
      throw new QueryTimeoutError(this.expression, "the engine's memory")
    }
  }
}

const maxAnalysisMillis = 100
