import { LogStore } from '../store/log-store.ts'
import { OtlpRecord } from '../otlp/otlp-record.ts'
import { hasPart } from '../views/text-candidates.ts'
import type { ViewFilter } from '../views/view-filter.ts'
import { completeView } from '../views/complete-view.ts'
import { storedTexts } from '../views/stored-text.ts'
import { addBlock } from './add-block.ts'
import type { LogDatabase } from './log-database.ts'
import { recordsOf, type RecordBlock } from './record-block.ts'
import type { NumberRange } from './saved-ranges.ts'

/** A record of the file. */
export interface OlderRecord {
  readonly number: number
  /** Milliseconds since the Unix epoch. */
  readonly time: number
  readonly record: OtlpRecord
}

/** A part of a search. */
export interface OlderRecords {
  /** The newest first. */
  readonly records: readonly OlderRecord[]
  /** The search continues before this record; undefined at its end. */
  readonly next: number | undefined
}

/** How long the search continues before it returns, in ms. */
const searchMillis = 400
/** How long the search continues before other work of the process, in ms. */
const sliceMillis = 15
const stepBlocks = 16
/** How many records are tested before the time is read again, unless a block has more. */
const groupRecords = 512
const stepChunks = 64

/** Where a search looks, and when it ends. */
export interface SearchLimits {
  /** The number after the first record that is searched. */
  readonly before?: number
  /** The records that are searched, in ascending order; by default all. */
  readonly ranges?: readonly NumberRange[]
  /** The maximum number of records that are found. */
  readonly count: number
  /** Returns whether the search is no longer needed. */
  readonly isStopped?: () => boolean
}

const everything: readonly NumberRange[] = [{ first: 0, end: Infinity }]

/** Searches records of the file, from the newest to the oldest, until there are enough or some time is over. */
export async function searchOlder(
  database: LogDatabase,
  filter: ViewFilter,
  { before = Infinity, ranges = everything, count, isStopped = () => false }: SearchLimits,
): Promise<OlderRecords> {
  const texts = filter.query === undefined ? undefined : storedTexts(filter.query)
  const end = performance.now() + searchMillis
  const records: OlderRecord[] = []
  const oldest = Math.max(database.firstNumber, ranges[0]?.first ?? Infinity)
  const result = (next: number): OlderRecords => ({ records, next: next <= oldest ? undefined : next })
  let sliceEnd = performance.now() + sliceMillis
  for (const range of rangesBefore(ranges, before)) {
    let next = range.end
    for (const { blocks, from } of blockGroups(database, texts, range)) {
      for (const group of candidates(blocks, texts)) {
        const found = await matchesOf(group, filter, { first: range.first, end: next }, isStopped)
        records.push(...found.slice(0, count - records.length))
        if (records.length >= count) return { records, next: records.at(-1)!.number }
        next = Math.max(range.first, group[0]!.first)
        if (isStopped() || performance.now() > end) return result(next)
        if (performance.now() < sliceEnd) continue
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
        sliceEnd = performance.now() + sliceMillis
      }
      next = Math.max(range.first, from)
      if (performance.now() > end) return result(next)
    }
  }
  return { records, next: undefined }
}

/** Returns the parts of ranges before a number, the newest first. */
function rangesBefore(ranges: readonly NumberRange[], before: number): readonly NumberRange[] {
  return ranges
    .map(({ first, end }) => ({ first, end: Math.min(end, before) }))
    .filter(({ first, end }) => end > first)
    .toReversed()
}

/** Returns a record of the file; undefined if it was deleted. */
export function olderRecord(database: LogDatabase, number: number): OlderRecord | undefined {
  const block = database.blockWith(number)
  if (block === undefined) return undefined
  let at = block.first
  for (const message of recordsOf(block)) if (at++ === number) return recordOf(block, number, message)
  return undefined
}

/** Blocks to search, and up to which number they were found. */
interface BlockGroup {
  readonly blocks: readonly RecordBlock[]
  readonly from: number
}

/** Returns the blocks of a range that can match, the newest first. Blocks that are not indexed yet are all searched. */
function* blockGroups(
  database: LogDatabase,
  texts: readonly Buffer[] | undefined,
  { first, end }: NumberRange,
): Generator<BlockGroup> {
  const { index } = database
  const usesIndex = index !== undefined && texts !== undefined && !database.resourcesHave(texts)
  // The first record can be in the middle of a block.
  const start = database.blockWith(first)?.first ?? first
  let next = end
  while (next > start && next > database.firstNumber) {
    const chunks = !usesIndex || next > index.indexedUntil ? undefined : index.find(texts, next, stepChunks)
    if (chunks === undefined) {
      // The index is used for all records before the first one that is not indexed.
      const from = usesIndex && next > index.indexedUntil ? Math.max(start, index.indexedUntil) : start
      const blocks = database.blocksBetween(from, next, stepBlocks)
      next = blocks.length < stepBlocks ? from : blocks.at(-1)!.first
      yield { blocks, from: next }
    } else {
      for (const chunk of chunks) {
        const blocks = database.blocksBetween(
          Math.max(start, chunk.first),
          Math.min(chunk.end, next),
          stepChunks * stepChunks,
        )
        next = Math.max(start, chunk.first)
        yield { blocks, from: next }
        if (next === start) return
      }
      if (chunks.length < stepChunks) {
        yield { blocks: [], from: start }
        return
      }
    }
  }
}

/** Returns the blocks that can match, the oldest first in groups of some hundreds of records, the newest group first. */
function* candidates(
  blocks: readonly RecordBlock[],
  texts: readonly Buffer[] | undefined,
): Generator<readonly RecordBlock[]> {
  let group: RecordBlock[] = []
  let count = 0
  for (const block of blocks) {
    if (!canMatch(block, texts)) continue
    group.unshift(block)
    count += block.ends.length
    if (count < groupRecords) continue
    yield group
    group = []
    count = 0
  }
  if (group.length > 0) yield group
}

function canMatch({ bytes, source }: RecordBlock, texts: readonly Buffer[] | undefined): boolean {
  return texts === undefined || texts.some((text) => bytes.includes(text) || hasPart(source.resource, text.toString()))
}

/** Returns the records of blocks that match and are in a range, the newest first. */
async function matchesOf(
  blocks: readonly RecordBlock[],
  filter: ViewFilter,
  { first, end }: NumberRange,
  isStopped: () => boolean,
): Promise<OlderRecord[]> {
  const store = new LogStore(Infinity)
  const numbers: number[] = []
  for (const block of blocks) {
    const count = addBlock(store, block)
    for (let index = 0; index < count; index++) numbers.push(block.first + index)
  }
  const { rows } = await completeView(store, filter, isStopped)
  return Array.from(rows.sequences)
    .toSorted((a, b) => b - a)
    .filter((sequence) => numbers[sequence]! >= first && numbers[sequence]! < end)
    .map((sequence) => {
      const { segment, index } = store.placeOf(sequence)!
      const { raw } = store.readAt(segment, index)
      const record = new OtlpRecord(Buffer.from(raw), store.sourceAt(segment, index))
      return { number: numbers[sequence]!, time: segment.times[index]!, record }
    })
}

function recordOf({ source, received }: RecordBlock, number: number, message: Buffer): OlderRecord {
  const record = new OtlpRecord(message, source)
  return { number, time: record.time ?? received, record }
}
