import { signal, type Signal } from '@preact/signals'
import { blockRows } from '../api/row-block-size.ts'
import { fetchRows } from './server.ts'
import type { Row, RowBlock } from './server-types.ts'

const maxBlocks = 60

/** Rows of a view by position, which are requested in blocks when they are needed. */
export class RowCache {
  /** Changes when rows arrive. */
  readonly version: Signal<number> = signal(0)
  private readonly blocks = new Map<number, readonly Row[]>()
  private readonly requests = new Map<number, Promise<void>>()
  /** The blocks of an older epoch. */
  private stale = new Set<number>()
  private viewId = 0
  private epoch = -1

  /** Forgets the rows if their positions are no longer valid. The rows of an older epoch are shown until new ones arrive. */
  use(viewId: number, epoch: number): void {
    if (viewId === this.viewId && epoch === this.epoch) return
    if (viewId !== this.viewId) this.blocks.clear()
    this.stale = new Set(this.blocks.keys())
    this.requests.clear()
    this.viewId = viewId
    this.epoch = epoch
  }

  /** Requests rows of a view or epoch that is not used yet. Returns them by block. */
  async fetchBlocks(viewId: number, from: number, count: number): Promise<ReadonlyMap<number, RowBlock>> {
    const first = Math.floor(Math.max(0, from) / blockRows)
    const last = Math.floor((Math.max(0, from) + count) / blockRows)
    const blocks = Array.from({ length: last - first + 1 }, (_, at) => first + at)
    return new Map(
      await Promise.all(
        blocks.map(async (block) => [block, await fetchRows(viewId, block * blockRows, blockRows)] as const),
      ),
    )
  }

  /** Splits rows into blocks. The first row starts a block. */
  blocksOf({ from, rows, epoch }: RowBlock): ReadonlyMap<number, RowBlock> {
    const first = from / blockRows
    return new Map(
      Array.from({ length: Math.ceil(rows.length / blockRows) }, (_, at) => {
        const start = at * blockRows
        return [first + at, { from: from + start, rows: rows.slice(start, start + blockRows), epoch }] as const
      }),
    )
  }

  /** Keeps rows that were requested by `fetchBlocks`. */
  add(blocks: ReadonlyMap<number, RowBlock>): void {
    for (const [block, answer] of blocks) this.set(block, answer)
    this.version.value++
  }

  /** Returns the row at a position; undefined if it was not received yet. */
  get(index: number): Row | undefined {
    return this.blocks.get(Math.floor(index / blockRows))?.[index % blockRows]
  }

  /** Requests the rows from one position to another, if they are needed. */
  async load(from: number, until: number, total: number): Promise<void> {
    const requests: Promise<void>[] = []
    for (let block = Math.floor(from / blockRows); block * blockRows < until; block++) {
      const known = this.blocks.get(block)?.length ?? 0
      const expected = Math.min(blockRows, total - block * blockRows)
      if (known >= expected && !this.stale.has(block)) continue
      let request = this.requests.get(block)
      if (request === undefined) this.requests.set(block, (request = this.request(block)))
      requests.push(request)
    }
    await Promise.all(requests)
  }

  private async request(block: number): Promise<void> {
    const { viewId, epoch } = this
    try {
      const answer = await fetchRows(viewId, block * blockRows, blockRows)
      if (viewId !== this.viewId || epoch !== this.epoch) return
      this.set(block, answer)
      this.version.value++
    } catch {
      // The view was closed; the next one is loaded again.
    } finally {
      if (viewId === this.viewId && epoch === this.epoch && !this.stale.has(block)) this.requests.delete(block)
    }
  }

  private set(block: number, { rows, epoch }: RowBlock): void {
    this.blocks.delete(block)
    this.blocks.set(block, rows)
    // The server can have newer positions than the state that is shown. Then the rows are requested again with the next state.
    if (epoch === this.epoch) this.stale.delete(block)
    else this.stale.add(block)
    const [oldest] = this.blocks.keys()
    if (this.blocks.size > maxBlocks && oldest !== undefined) this.blocks.delete(oldest)
  }
}

/** The rows of the view that is shown. */
export const rowCache: RowCache = new RowCache()
