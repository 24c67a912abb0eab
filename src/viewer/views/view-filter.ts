import { compileQuery, type RecordPredicate } from '../../read/query/compile-query.ts'
import type { Query } from '../../read/query/query.ts'
import type { AnyValue } from '../../record/any-value.ts'
import { hashOfTrace } from '../otlp/log-head.ts'
import type { RecordSource } from '../otlp/otlp-record.ts'
import type { LogStore } from '../store/log-store.ts'
import type { Segment } from '../store/segment.ts'
import { levelClasses, type LevelClass } from './level-classes.ts'
import { storedTexts } from './stored-text.ts'

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

/** The conditions of a filter on the columns of the store and on the bytes of its records, from the fastest to the slowest. */
export class CompiledFilter {
  /** For each class of levels, whether its records are in the view. */
  readonly acceptsLevel: readonly boolean[]
  private readonly store: LogStore
  private readonly filter: ViewFilter
  private readonly from: number
  private readonly until: number
  private readonly traceHash: number
  private readonly texts: readonly Buffer[] | undefined
  private readonly tests: readonly RecordPredicate[]
  /** Which records of the current segment contain one of the texts. */
  private readonly candidates: Uint8Array | undefined

  constructor(filter: ViewFilter, store: LogStore, recordsOfSegment: number) {
    this.store = store
    this.filter = filter
    this.acceptsLevel = levelClasses.map((name) => filter.levels?.has(name) ?? true)
    this.from = filter.from ?? -Infinity
    this.until = filter.until ?? Infinity
    const { traceId, query } = filter
    this.traceHash = traceId === undefined ? 0 : hashOfTrace(traceId)
    this.texts = query === undefined ? undefined : storedTexts(query)
    this.candidates = this.texts === undefined ? undefined : new Uint8Array(recordsOfSegment)
    this.tests = [
      ...(traceId === undefined
        ? []
        : [(record: { readonly traceId: string | undefined }) => record.traceId === traceId]),
      ...(query === undefined ? [] : [compileQuery(query)]),
    ]
  }

  /** Finds the records from one index to another that can match, before `accepts` is called for them. */
  prepare(segment: Segment, from: number, to: number): void {
    const { texts, candidates } = this
    if (texts === undefined || candidates === undefined || to <= from) return
    candidates.fill(0, from, to)
    const start = segment.startOf(from)
    const end = segment.ends[to - 1]!
    const bytes = segment.bytes.subarray(start, end)
    for (const text of texts) {
      for (let at = bytes.indexOf(text); at >= 0;) {
        const index = segment.indexAt(start + at)
        candidates[index] = 1
        // The other places in the same record do not matter.
        at = bytes.indexOf(text, segment.ends[index]! - start)
      }
    }
  }

  acceptsService(segment: Segment, index: number): boolean {
    const { services } = this.filter
    return services === undefined || services.has(serviceOf(this.store.sourceAt(segment, index)))
  }

  /** Returns whether a record meets all conditions except those on the level and the service. */
  accepts(segment: Segment, index: number): boolean {
    const time = segment.times[index]!
    if (time < this.from || time >= this.until) return false
    if (this.traceHash !== 0 && segment.traces[index] !== this.traceHash) return false
    const { template } = this.filter
    if (template !== undefined && segment.templates[index] !== template) return false
    if (this.tests.length === 0) return true
    if (this.candidates?.[index] === 0 && !this.sourceHasText(segment, index)) return false
    const record = this.store.readAt(segment, index)
    return this.tests.every((test) => test(record))
  }

  /** Returns whether one of the texts is in the resource, where the value of a key is also found. */
  private sourceHasText(segment: Segment, index: number): boolean {
    const source = this.store.sourceAt(segment, index)
    let hasText = this.sourcesWithText.get(source)
    if (hasText === undefined) {
      hasText = this.texts!.some((text) => hasPart(source.resource, text.toString()))
      this.sourcesWithText.set(source, hasText)
    }
    return hasText
  }

  private readonly sourcesWithText = new WeakMap<RecordSource, boolean>()
}

/** Returns the name of the service; '' without one. */
export function serviceOf({ resource }: RecordSource): string {
  const name = resource.get('service.name')
  return typeof name === 'string' ? name : ''
}

/** Returns whether a text is part of a value, at any depth. */
export function hasPart(value: AnyValue, text: string): boolean {
  if (typeof value === 'string') return value.includes(text)
  const items = value instanceof Map ? [...value.values()] : Array.isArray(value) ? (value as readonly AnyValue[]) : []
  return items.some((item) => hasPart(item, text))
}
