import { hasOwn } from '../options/own-members.ts'

/** The values of several iterators, in the order in which they arrive. */
export class Arrivals<T> {
  readonly #iterators: readonly AsyncIterator<T>[]
  readonly #arrived: Arrival<T>[] = []
  #wake = doNothing

  constructor(iterators: readonly AsyncIterator<T>[]) {
    this.#iterators = iterators
  }

  /** Yields the values until all iterators are done. Call it only once. */
  async *values(): AsyncGenerator<T, undefined> {
    let running = this.#iterators.length
    for (const iterator of this.#iterators) this.#request(iterator)
    while (running > 0) {
      const arrival = this.#arrived.shift()
      if (arrival === undefined) await this.#nextArrival()
      else if (hasOwn(arrival, 'error')) throw arrival.error
      else if (arrival.result.done === true) running--
      else {
        this.#request(arrival.iterator)
        yield arrival.result.value
      }
    }
  }

  #nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /** Requests the next value of an iterator. `Promise.race` is not used, because a pending promise keeps the memory of each call. */
  #request(iterator: AsyncIterator<T>): void {
    iterator.next().then(
      (result) => this.#arrive({ iterator, result }),
      (error: unknown) => this.#arrive({ error }),
    )
  }

  #arrive(arrival: Arrival<T>): void {
    this.#arrived.push(arrival)
    this.#wake()
  }
}

type Arrival<T> =
  | { readonly iterator: AsyncIterator<T>; readonly result: IteratorResult<T> }
  | { readonly error: unknown }

function doNothing(): void {}
