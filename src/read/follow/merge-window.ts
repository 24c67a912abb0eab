/** Options of a `MergeWindow`. */
export interface MergeWindowOptions<T> {
  /** How long an item is held at most, in ms. */
  readonly windowMillis: number
  /** Receives the items in order. */
  readonly onItem: (item: T) => void
  /**
   * How many items are held at most.
   *
   * @defaultValue 100,000
   */
  readonly maxItems?: number
}

interface HeldItem<T> {
  readonly item: T
  /** The time of the record, or of the last record before it in its source. */
  readonly time: number
  /** The order in which items were added. */
  readonly sequence: number
  /** When the item must be returned, in ms of `now`. */
  readonly dueAt: number
  isReleased: boolean
}

/**
 * Merges the items of several sources by time. An item is held for a window, in which earlier items of other sources can arrive.
 * Items with one time, and items without a time, keep the order in which they were added; one without a time stays behind the item
 * that its source added before it.
 */
export class MergeWindow<T> {
  private readonly windowMillis: number
  private readonly maxItems: number
  private readonly onItem: (item: T) => void
  /** A binary heap, the earliest item first. */
  private readonly heap: HeldItem<T>[] = []
  /** The same items in the order in which they are due, and items that were returned before they were due. */
  private queue: HeldItem<T>[] = []
  private queueStart = 0
  private sequence = 0
  private readonly lastTimes = new Map<unknown, number>()

  constructor({ windowMillis, onItem, maxItems = 100_000 }: MergeWindowOptions<T>) {
    this.windowMillis = windowMillis
    this.onItem = onItem
    this.maxItems = maxItems
  }

  /**
   * Adds an item.
   *
   * @param source - Identifies the source.
   * @param time - The time of its record in ms; undefined if it has none.
   * @param now - Monotonic time in ms.
   */
  add(source: unknown, time: number | undefined, item: T, now: number): void {
    const effectiveTime = time ?? this.lastTimes.get(source) ?? -Infinity
    if (time !== undefined) this.lastTimes.set(source, time)
    const held = {
      item,
      time: effectiveTime,
      sequence: this.sequence++,
      dueAt: now + this.windowMillis,
      isReleased: false,
    }
    this.queue.push(held)
    this.push(held)
    if (this.heap.length > this.maxItems) this.releaseFirst()
  }

  /** Returns the items that are due, and all earlier ones, to `onItem`. */
  release(now: number): void {
    for (let first = this.firstDue(); first !== undefined && first.dueAt <= now; first = this.firstDue()) {
      this.releaseFirst()
    }
  }

  /** Returns all items to `onItem`. */
  flush(): void {
    while (this.heap.length > 0) this.releaseFirst()
    this.queue = []
    this.queueStart = 0
  }

  /** When `release` must be called next, in ms of `now`; undefined if no item is held. */
  get nextReleaseAt(): number | undefined {
    return this.firstDue()?.dueAt
  }

  /** Forgets a source that has ended. */
  endSource(source: unknown): void {
    this.lastTimes.delete(source)
  }

  private firstDue(): HeldItem<T> | undefined {
    while (this.queue[this.queueStart]?.isReleased === true) this.queueStart++
    if (this.queueStart > 1_024 && this.queueStart * 2 > this.queue.length) {
      this.queue = this.queue.slice(this.queueStart)
      this.queueStart = 0
    }
    return this.queue[this.queueStart]
  }

  private releaseFirst(): void {
    const { heap } = this
    const first = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) {
      heap[0] = last
      this.siftDown()
    }
    first.isReleased = true
    this.onItem(first.item)
  }

  private push(held: HeldItem<T>): void {
    const { heap } = this
    let index = heap.length
    heap.push(held)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (isBefore(heap[parent]!, held)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = held
  }

  private siftDown(): void {
    const { heap } = this
    const moved = heap[0]!
    let index = 0
    for (;;) {
      let child = index * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (isBefore(moved, heap[child]!)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = moved
  }
}

function isBefore<T>(a: HeldItem<T>, b: HeldItem<T>): boolean {
  return a.time < b.time || (a.time === b.time && a.sequence < b.sequence)
}
