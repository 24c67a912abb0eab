import type { LogStore } from '../store/log-store.ts'
import type { Segment } from '../store/segment.ts'
import { levelClassOf, levelClasses } from './level-classes.ts'
import { RowList } from './row-list.ts'
import { CompiledFilter, serviceOf, type ViewFilter } from './view-filter.ts'
import { sortedRows } from './sorted-rows.ts'

/** How many records are tested before the time is read again. */
const maxStepRecords = 512
/** The same with regular expressions. They are tested singly while each takes long, because other requests wait meanwhile. */
const maxSlowStepRecords = 16
/** How long a step with regular expressions takes before the next one has only one record, in ms. */
const maxStepMillis = 5

/** Numbers of records of a segment that are in the view, without one of the conditions. */
interface SegmentCounts {
  /** The number of records of each class of levels, without the condition on levels. */
  readonly levels: Float64Array
  /** The number of records of each source, without the condition on services. */
  readonly sources: Map<number, number>
}

/**
 * The records of the store that match a filter, sorted by time. The records that the store already had are searched from the newest to the
 * oldest, in parts, so that the newest ones are found at once and other work continues.
 */
export class LogView {
  rows: RowList = new RowList()
  private readonly store: LogStore
  private readonly filter: CompiledFilter
  /** The sequence number up to which new records were tested. */
  private newest: number
  /** The sequence number down to which old records were tested. */
  private oldest: number
  /** By the sequence number of the first record of each segment. */
  private readonly counts = new Map<number, SegmentCounts>()
  private removedBefore = 0
  private addedRows = 0
  private stepRecords: number

  /** @param after - the sequence number of the first record that is tested; by default all records are */
  constructor(store: LogStore, filter: ViewFilter, after?: number) {
    this.store = store
    this.filter = new CompiledFilter(filter, store)
    this.stepRecords = this.filter.isSlow ? 1 : maxStepRecords
    this.newest = after ?? store.nextSequence
    this.oldest = after === undefined ? store.nextSequence : 0
  }

  /** The sequence number up to which records were tested. */
  get testedUntil(): number {
    return this.newest
  }

  /** The number of records that were added because they arrived after the view was opened. */
  get added(): number {
    return this.addedRows
  }

  /** The number of records that were not tested yet. */
  get untested(): number {
    return this.untestedOld + this.store.nextSequence - this.newest
  }

  /** The number of records that were not tested yet, of those that the store had when the view was opened. */
  get untestedOld(): number {
    return Math.max(0, this.oldest - this.store.firstSequence)
  }

  /**
   * Tests records until all are tested or the time is over.
   *
   * @param isOver - returns whether the time is over
   */
  update(isOver: () => boolean): void {
    this.removeOld()
    while (this.newest < this.store.nextSequence) {
      const { segment, index } = this.store.placeOf(this.newest)!
      const end = Math.min(segment.count, index + this.stepRecords)
      this.addedRows += this.testStep(segment, index, end)
      this.newest = segment.first + end
      if (isOver()) return
    }
    this.updateOld(isOver)
  }

  /** Does the same only with the records that the store had when the view was opened. It also ends if new ones arrive faster than they are tested. */
  updateOld(isOver: () => boolean): void {
    this.removeOld()
    while (this.oldest > this.store.firstSequence) {
      const { segment, index } = this.store.placeOf(this.oldest - 1)!
      const start = Math.max(0, index + 1 - this.stepRecords)
      this.testStep(segment, start, index + 1)
      this.oldest = segment.first + start
      if (isOver()) return
    }
  }

  /** Returns the rows, and removes them from the view. Rows that are found later are in a new list. */
  takeRows(): RowList {
    const { rows } = this
    this.rows = new RowList()
    return rows
  }

  /** Returns the number of records of each class of levels, without the condition on levels. */
  levelCounts(): number[] {
    return levelClasses.map((_, index) => sum(this.counts, index))
  }

  /** Returns the number of records of each service, without the condition on services. */
  serviceCounts(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { sources } of this.counts.values()) {
      for (const [source, count] of sources) {
        const service = serviceOf(this.store.sources.get(source))
        counts.set(service, (counts.get(service) ?? 0) + count)
      }
    }
    return counts
  }

  /** Tests a step, and chooses how many records the next one has. Returns how many match. */
  private testStep(segment: Segment, start: number, end: number): number {
    if (!this.filter.isSlow) return this.test(segment, start, end)
    const before = performance.now()
    const count = this.test(segment, start, end)
    const isFast = performance.now() - before < maxStepMillis
    this.stepRecords = isFast ? Math.min(maxSlowStepRecords, 2 * this.stepRecords) : 1
    return count
  }

  /** Tests records of a segment. Returns how many match. */
  private test(segment: Segment, start: number, end: number): number {
    const { filter } = this
    const { levels, sources } = this.countsOf(segment)
    const matches: number[] = []
    let lastSource = -1
    let count = 0
    const countSource = (source: number): void => {
      if (count > 0) sources.set(lastSource, (sources.get(lastSource) ?? 0) + count)
      lastSource = source
      count = 0
    }
    for (const index of filter.select(segment, start, end)) {
      const levelClass = levelClassOf(segment.severities[index]!)
      const hasService = filter.acceptsService(segment, index)
      if (hasService) levels[levelClass]!++
      if (!filter.acceptsLevel[levelClass]) continue
      const source = segment.sources[index]!
      if (source !== lastSource) countSource(source)
      count++
      if (hasService) matches.push(index)
    }
    countSource(-1)
    if (matches.length > 0) this.rows.insert(sortedRows(segment, matches))
    return matches.length
  }

  private countsOf({ first }: Segment): SegmentCounts {
    let counts = this.counts.get(first)
    if (counts === undefined) {
      counts = { levels: new Float64Array(levelClasses.length), sources: new Map<number, number>() }
      this.counts.set(first, counts)
    }
    return counts
  }

  /** Removes the rows whose records are no longer in the store. */
  private removeOld(): void {
    const { firstSequence } = this.store
    if (firstSequence === this.removedBefore) return
    this.removedBefore = firstSequence
    this.newest = Math.max(this.newest, firstSequence)
    this.rows.removeBefore(firstSequence)
    for (const first of this.counts.keys()) if (first < firstSequence) this.counts.delete(first)
  }
}

function sum(counts: ReadonlyMap<number, SegmentCounts>, levelClass: number): number {
  let total = 0
  for (const { levels } of counts.values()) total += levels[levelClass]!
  return total
}
