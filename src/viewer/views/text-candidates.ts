import type { Query } from '../../read/query/query.ts'
import type { AnyValue } from '../../record/any-value.ts'
import type { LogStore } from '../store/log-store.ts'
import { segmentRecords, type Segment } from '../store/segment.ts'
import { ofSource } from './column-test.ts'
import { storedTexts } from './stored-text.ts'

/** Finds the records whose bytes contain a text that a query requires, which is much faster than to read them. */
export class TextCandidates {
  private readonly texts: readonly Buffer[]
  private readonly found = new Uint8Array(segmentRecords)
  /** Returns whether one of the texts is in the resource, where the value of a key is also found. */
  private readonly isInSource: (segment: Segment, index: number) => boolean

  private constructor(texts: readonly Buffer[], store: LogStore) {
    this.texts = texts
    const searched = texts.map(String)
    this.isInSource = ofSource(store, ({ resource }) => searched.some((text) => hasPart(resource, text)))
  }

  /** Returns undefined if the query does not require a text. */
  static of(query: Query, store: LogStore): TextCandidates | undefined {
    const texts = storedTexts(query)
    return texts && new TextCandidates(texts, store)
  }

  /** Finds the candidates from one index of a segment to another. */
  find(segment: Segment, from: number, to: number): void {
    const { texts, found } = this
    if (to <= from) return
    found.fill(0, from, to)
    const start = segment.startOf(from)
    const bytes = segment.bytes.subarray(start, segment.ends[to - 1])
    for (const text of texts) {
      for (let at = bytes.indexOf(text); at >= 0;) {
        const index = segment.indexAt(start + at)
        found[index] = 1
        // The other places in the same record do not matter.
        at = bytes.indexOf(text, segment.ends[index]! - start)
      }
    }
  }

  /** Returns whether a record can match, after `find` was called for it. */
  isCandidate(segment: Segment, index: number): boolean {
    return this.found[index] === 1 || this.isInSource(segment, index)
  }
}

/** Returns whether a value contains a text. It is not recursive, because values can be nested more deeply than the stack. */
export function hasPart(root: AnyValue, text: string): boolean {
  const pending: AnyValue[] = [root]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string' && value.includes(text)) return true
    if (value instanceof Map) pending.push(...(value as ReadonlyMap<string, AnyValue>).values())
    else if (Array.isArray(value)) pending.push(...(value as readonly AnyValue[]))
  }
  return false
}
