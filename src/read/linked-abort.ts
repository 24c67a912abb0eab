/**
 * An abort signal that is also aborted with another one. `AbortSignal.any` is not used, because it reads `aborted` and `reason` from
 * `Object.prototype`. Call `release` when the signal is not used any longer.
 */
export class LinkedAbort {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined

  /** @param outer - the other signal; undefined without one */
  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer
    if (outer?.aborted === true) this.abort()
    else outer?.addEventListener('abort', this.abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly abort = (): void => this.#controller.abort()

  /** Ends the link to the other signal. */
  release(): void {
    this.#outer?.removeEventListener('abort', this.abort)
  }
}
