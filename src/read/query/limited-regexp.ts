import { QueryTimeoutError } from './query-timeout-error.ts'
import { directLength } from './regexp-cost.ts'
import type { TimeLimit } from './time-limit.ts'

/** A regular expression that cannot run longer than a time limit. */
export class LimitedRegExp {
  /** Whether every text is searched quickly, so that a time limit is not needed except for very long texts. */
  readonly isCheap: boolean
  private readonly expression: RegExp
  private readonly limit: TimeLimit
  /** The length of the longest texts that are searched without a limit, in UTF-16 units. */
  private readonly directLength: number

  constructor(expression: RegExp, limit: TimeLimit) {
    this.expression = expression
    this.limit = limit
    this.directLength = directLength(expression)
    this.isCheap = this.directLength >= cheapLength
  }

  /**
   * Returns whether a text has a match.
   *
   * @throws QueryTimeoutError if the search takes longer than the limit
   */
  test(text: string): boolean {
    if (text.length <= this.directLength) return this.search(text)
    const { limit, expression } = this
    if (limit.isRunning) {
      limit.expression = expression
      const isMatch = this.search(text)
      limit.expression = undefined
      return isMatch
    }
    let isMatch = false
    const isInTime = limit.run(() => {
      isMatch = this.search(text)
    })
    if (!isInTime) throw new QueryTimeoutError(expression, `${limit.millis} ms`)
    return isMatch
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

const cheapLength = 65_536
