import { compileQuery, type RecordPredicate } from '../../read/query/compile-query.ts'
import type { Query } from '../../read/query/query.ts'
import { hasTimeLimit, selectRecords } from '../../read/query/select-records.ts'
import { hashOfTrace } from '../otlp/log-head.ts'
import type { RecordSource } from '../otlp/otlp-record.ts'
import type { LogStore } from '../store/log-store.ts'
import type { Segment } from '../store/segment.ts'
import { columnTest, no, ofSource, yes, type ColumnTest } from './column-test.ts'
import { levelClasses, type LevelClass } from './level-classes.ts'
import { TextCandidates } from './text-candidates.ts'

/** Which records a view has. All conditions must be met. */
export interface ViewFilter {
  /** The classes of levels; by default all. */
  readonly levels?: ReadonlySet<LevelClass> | undefined
  /** The names of services, '' for records without one; by default all. */
  readonly services?: ReadonlySet<string> | undefined
  /** A trace ID of 32 hexadecimal digits. */
  readonly traceId?: string | undefined
  /** The number of a template. */
  readonly template?: number | undefined
  /** The first time, in ms since the Unix epoch. */
  readonly from?: number | undefined
  /** The time after the last one, in ms since the Unix epoch. */
  readonly until?: number | undefined
  readonly query?: Query | undefined
}

/** The time that regular expressions may take for one record, in ms. Other requests wait meanwhile. */
const regexMillis = 50

/** The conditions of a filter on the columns of the store and on the bytes of its records, from the fastest to the slowest. */
export class CompiledFilter {
  /** For each class of levels, whether its records are in the view. */
  readonly acceptsLevel: readonly boolean[]
  /** Whether a regular expression can take its whole time for each record. */
  readonly isSlow: boolean
  private readonly store: LogStore
  private readonly template: number | undefined
  private readonly from: number
  private readonly until: number
  private readonly traceId: string | undefined
  private readonly traceHash: number
  private readonly services: ((segment: Segment, index: number) => boolean) | undefined
  private readonly columns: ColumnTest | undefined
  private readonly texts: TextCandidates | undefined
  private readonly predicate: RecordPredicate | undefined

  constructor(filter: ViewFilter, store: LogStore) {
    const { levels, services, traceId, template, from = -Infinity, until = Infinity, query } = filter
    this.store = store
    this.acceptsLevel = levelClasses.map((name) => levels?.has(name) ?? true)
    this.template = template
    this.from = from
    this.until = until
    this.traceId = traceId
    this.traceHash = traceId === undefined ? 0 : hashOfTrace(traceId)
    this.services = services && ofSource(store, (source) => services.has(serviceOf(source)))
    this.columns = query && columnTest(query, store)
    this.texts = query && TextCandidates.of(query, store)
    this.predicate = query && compileQuery(query, { regexMillis })
    this.isSlow = this.predicate !== undefined && hasTimeLimit(this.predicate)
  }

  acceptsService(segment: Segment, index: number): boolean {
    return this.services === undefined || this.services(segment, index)
  }

  /**
   * Returns the indexes of the records that meet all conditions except those on the level and the service, in ascending order.
   *
   * @throws QueryTimeoutError if a regular expression takes too long.
   */
  select(segment: Segment, from: number, to: number): readonly number[] {
    const { predicate, columns, texts } = this
    const matches: number[] = []
    /** The matches whose bytes must be read. */
    const unread: number[] = []
    texts?.find(segment, from, to)
    for (let index = from; index < to; index++) {
      if (!this.acceptsColumns(segment, index)) continue
      const result = predicate === undefined ? yes : columns?.(segment, index)
      if (result === no) continue
      if (result === yes) matches.push(index)
      else if (texts === undefined || texts.isCandidate(segment, index)) unread.push(index)
    }
    if (unread.length === 0) return matches
    const read = this.selectRead(segment, unread, predicate!)
    return matches.length === 0 ? read : [...matches, ...read].toSorted((a, b) => a - b)
  }

  private acceptsColumns(segment: Segment, index: number): boolean {
    const time = segment.times[index]!
    if (time < this.from || time >= this.until) return false
    if (this.template !== undefined && segment.templates[index] !== this.template) return false
    if (this.traceId === undefined) return true
    return segment.traces[index] === this.traceHash && this.store.readAt(segment, index).traceId === this.traceId
  }

  private selectRead(segment: Segment, indexes: readonly number[], predicate: RecordPredicate): readonly number[] {
    const { store } = this
    if (!hasTimeLimit(predicate)) return indexes.filter((index) => predicate(store.readAt(segment, index)))
    const records = indexes.map((index) => store.readAt(segment, index))
    const selected = new Set(selectRecords(predicate, records))
    return indexes.filter((_, position) => selected.has(records[position]!))
  }
}

/** Returns the name of the service; '' without one. */
export function serviceOf({ resource }: RecordSource): string {
  const name = resource.get('service.name')
  return typeof name === 'string' ? name : ''
}
