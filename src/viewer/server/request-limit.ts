import { HttpError } from './http-error.ts'

/** Limits how many requests that need much memory are answered at once. */
export class RequestLimit {
  private readonly max: number
  private count = 0

  constructor(max: number) {
    this.max = max
  }

  /**
   * Calls a function that answers a request, and returns its result.
   *
   * @throws HttpError if too many requests are being answered.
   */
  async run<T>(answer: () => Promise<T>): Promise<T> {
    if (this.count >= this.max) throw new HttpError(503, `at most ${this.max} such requests are answered at once`)
    this.count++
    try {
      return await answer()
    } finally {
      this.count--
    }
  }
}
