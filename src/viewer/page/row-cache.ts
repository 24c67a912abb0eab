import { signal, type Signal } from '@preact/signals'
import { fetchRows } from './server.ts'
import type { Row } from './server-types.ts'

const blockRows = 100
const maxBlocks = 60

/** Rows of a view by position, which are requested in blocks when they are needed. */
export class RowCache {
  /** Changes when rows arrive. */
  readonly version: Signal<number> = signal(0)
  private readonly blocks = new Map<number, readonly Row[]>()
  private readonly requested = new Set<number>()
  private viewId = 0
  private epoch = -1

  /** Forgets the rows if their positions are no longer valid. The rows of an older epoch are shown until new ones arrive. */
  use(viewId: number, epoch: number): void {
    if (viewId === this.viewId && epoch === this.epoch) return
    if (viewId !== this.viewId) this.blocks.clear()
    this.stale = new Set(this.blocks.keys())
    this.requested.clear()
    this.viewId = viewId
    this.epoch = epoch
  }

  private stale = new Set<number>()

  /** Returns the row at a position; undefined if it was not received yet. */
  get(index: number): Row | undefined {
    return this.blocks.get(Math.floor(index / blockRows))?.[index % blockRows]
  }

  /** Requests the rows from one position to another, if they are needed. */
  async load(from: number, until: number, total: number): Promise<void> {
    const blocks: number[] = []
    for (let block = Math.floor(from / blockRows); block * blockRows < until; block++) {
      const known = this.blocks.get(block)?.length ?? 0
      const expected = Math.min(blockRows, total - block * blockRows)
      if ((known < expected || this.stale.has(block)) && !this.requested.has(block)) blocks.push(block)
    }
    await Promise.all(blocks.map(async (block) => this.request(block)))
  }

  private async request(block: number): Promise<void> {
    const { viewId, epoch } = this
    this.requested.add(block)
    try {
      const { rows } = await fetchRows(viewId, block * blockRows, blockRows)
      if (viewId !== this.viewId || epoch !== this.epoch) return
      this.blocks.delete(block)
      this.blocks.set(block, rows)
      this.stale.delete(block)
      const [oldest] = this.blocks.keys()
      if (this.blocks.size > maxBlocks && oldest !== undefined) this.blocks.delete(oldest)
      this.version.value++
    } catch {
      // The view was closed; the next one is loaded anew.
    } finally {
      if (epoch === this.epoch) this.requested.delete(block)
    }
  }
}

export const rowCache: RowCache = new RowCache()
