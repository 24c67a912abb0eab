/** Receives the items that a `ContextFilter` selects, and where two groups of them are not adjacent. */
export interface ContextSink<T> {
  item(item: T): void
  separator(): void
}

/**
 * Selects the items that match, and a number of items before and after each of them, as `grep -A -B -C` does. Each item is
 * selected once, also where the contexts of two matches overlap. Groups between which items were omitted are separated.
 */
export class ContextFilter<T> {
  readonly #before: number
  readonly #after: number
  readonly #sink: ContextSink<T>
  /** The last items that are in no group yet, a ring with the oldest at `#oldest`. */
  readonly #held: T[] = []
  #oldest = 0
  /** How many more items after the last match are selected. */
  #remaining = 0
  #hasGroup = false
  #hasOmitted = false

  constructor(before: number, after: number, sink: ContextSink<T>) {
    this.#before = before
    this.#after = after
    this.#sink = sink
  }

  /** Adds the next item of the input. */
  add(item: T, matches: boolean): void {
    if (matches) {
      this.#startGroup()
      this.#remaining = this.#after
      this.#sink.item(item)
    } else if (this.#remaining > 0) {
      this.#remaining--
      this.#sink.item(item)
    } else this.#hold(item)
  }

  /** Ends the input: items of the next one are not near those that were added. */
  endInput(): void {
    this.#held.length = 0
    this.#oldest = 0
    this.#remaining = 0
    this.#hasOmitted = true
  }

  /** Writes the separator, if there is a gap to the last group, and the held items. */
  #startGroup(): void {
    // As with grep, there are no separators without context.
    if (this.#hasGroup && this.#hasOmitted && this.#before + this.#after > 0) this.#sink.separator()
    this.#hasGroup = true
    this.#hasOmitted = false
    for (let index = 0; index < this.#held.length; index++) {
      this.#sink.item(this.#held[(this.#oldest + index) % this.#held.length]!)
    }
    this.#held.length = 0
    this.#oldest = 0
  }

  #hold(item: T): void {
    if (this.#held.length < this.#before) {
      this.#held.push(item)
      return
    }
    this.#hasOmitted = true
    if (this.#before === 0) return
    this.#held[this.#oldest] = item
    this.#oldest = (this.#oldest + 1) % this.#before
  }
}
