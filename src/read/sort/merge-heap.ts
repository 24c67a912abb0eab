/** The values of a merge, ordered so that the first one is found in constant time. Values that are equal must not occur. */
export class MergeHeap<T> {
  readonly #compare: (left: T, right: T) => number
  readonly #values: T[] = []

  constructor(compare: (left: T, right: T) => number) {
    this.#compare = compare
  }

  /** The smallest value; undefined if the heap is empty. */
  get first(): T | undefined {
    // Check the length: [0] could read a polluted Array.prototype.
    return this.#values.length === 0 ? undefined : this.#values[0]
  }

  add(value: T): void {
    const values = this.#values
    let index = values.push(value) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (this.#compare(values[parent]!, value) <= 0) break
      values[index] = values[parent]!
      index = parent
    }
    values[index] = value
  }

  /** Restores the order after the smallest value was increased. */
  updateFirst(): void {
    this.#sink(this.#values[0]!)
  }

  removeFirst(): void {
    const last = this.#values.pop()
    if (last !== undefined && this.#values.length > 0) this.#sink(last)
  }

  /** Moves a value from the top to its place. */
  #sink(value: T): void {
    const values = this.#values
    const { length } = values
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= length) break
      if (child + 1 < length && this.#compare(values[child + 1]!, values[child]!) < 0) child++
      if (this.#compare(value, values[child]!) <= 0) break
      values[index] = values[child]!
      index = child
    }
    values[index] = value
  }
}
