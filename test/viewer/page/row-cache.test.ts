import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { RowCache } from '../../../src/viewer/page/row-cache.ts'
import type { Row, RowBlock } from '../../../src/viewer/page/server-types.ts'

/** A request of the cache that is not answered yet. */
interface PendingRequest {
  readonly view: number
  readonly from: number
  /** Answers with rows whose messages have a prefix. */
  answer(prefix: string, epoch: number, count?: number): void
  fail(): void
}

const { fetch } = globalThis
let requests: PendingRequest[]
let cache: RowCache

beforeEach(() => {
  requests = []
  cache = new RowCache()
  // The order of answers is that of a test.
  globalThis.fetch = async (path) =>
    new Promise<Response>((resolve, reject) => {
      const parameters = new URL(path, 'http://localhost').searchParams
      const from = Number(parameters.get('from'))
      requests.push({
        view: Number(parameters.get('view')),
        from,
        answer: (prefix, epoch, count = 100) =>
          resolve(Response.json({ from, rows: rowsOf(prefix, from, count), epoch })),
        fail: () => reject(new TypeError('fetch failed')),
      })
    })
})
afterEach(() => {
  globalThis.fetch = fetch
})

function rowsOf(prefix: string, from: number, count: number): Row[] {
  return Array.from({ length: count }, (_, at) => ({ seq: from + at, message: `${prefix} ${from + at}` }) as Row)
}

function messageAt(index: number): string | undefined {
  return cache.get(index)?.message
}

/** Returns rows of epoch 3. */
function blockOf(from: number, count: number): RowBlock {
  return { from, rows: rowsOf('row', from, count), epoch: 3 }
}

describe('a row cache', () => {
  it('ignores rows that were requested in an older epoch and arrive after those of the new one', async () => {
    cache.use(1, 1)
    const old = cache.load(0, 50, 100)
    cache.use(1, 2)
    const current = cache.load(0, 50, 100)
    requests[1]!.answer('new', 2)
    await current
    const { value } = cache.version
    requests[0]!.answer('old', 1)
    await old
    expect(messageAt(7)).toBe('new 7')
    expect(cache.version.value).toBe(value)
    await cache.load(0, 50, 100)
    expect(requests).toHaveLength(2)
  })

  it('ignores rows that were requested for another view, also with the same epoch', async () => {
    cache.use(1, 0)
    const old = cache.load(0, 50, 100)
    cache.use(2, 0)
    const current = cache.load(0, 50, 100)
    requests[0]!.answer('old', 0)
    await old
    expect(messageAt(7)).toBeUndefined()
    requests[1]!.answer('new', 0)
    await current
    expect(messageAt(7)).toBe('new 7')
    expect(requests.map(({ view }) => view)).toEqual([1, 2])
  })

  it('requests a block again if an older request of it has failed meanwhile', async () => {
    cache.use(1, 1)
    const old = cache.load(0, 50, 100)
    cache.use(1, 2)
    const current = cache.load(0, 50, 100)
    requests[0]!.fail()
    await old
    void cache.load(0, 50, 100)
    // The request of the current epoch is still open.
    expect(requests).toHaveLength(2)
    requests[1]!.fail()
    await current
    void cache.load(0, 50, 100)
    expect(requests).toHaveLength(3)
  })

  it('requests each block once, and a block with too few rows when there are more', async () => {
    cache.use(1, 1)
    const loaded = [cache.load(0, 150, 150), cache.load(120, 150, 150)]
    expect(requests.map(({ from }) => from)).toEqual([0, 100])
    requests[0]!.answer('row', 1)
    requests[1]!.answer('row', 1, 50)
    await Promise.all(loaded)
    await cache.load(0, 150, 150)
    expect(requests).toHaveLength(2)
    void cache.load(0, 160, 160)
    expect(requests.map(({ from }) => from)).toEqual([0, 100, 100])
  })

  it('shows rows of an older epoch until those of the new one arrive', async () => {
    cache.use(1, 1)
    const old = cache.load(0, 50, 100)
    requests[0]!.answer('old', 1)
    await old
    cache.use(1, 2)
    expect(messageAt(7)).toBe('old 7')
    const current = cache.load(0, 50, 100)
    requests[1]!.answer('new', 2)
    await current
    expect(messageAt(7)).toBe('new 7')
  })

  it('shows rows of an epoch that is newer than its own, and requests them again in the next one', async () => {
    cache.use(1, 1)
    const early = cache.load(0, 50, 100)
    requests[0]!.answer('early', 2)
    await early
    expect(messageAt(7)).toBe('early 7')
    cache.use(1, 2)
    void cache.load(0, 50, 100)
    expect(requests).toHaveLength(2)
  })

  it('removes the rows that were added first when it has more than 60 blocks', async () => {
    cache.use(1, 1)
    const loaded = cache.load(0, 6_100, 6_100)
    for (const request of requests) request.answer('row', 1)
    await loaded
    expect(requests).toHaveLength(61)
    expect(messageAt(99)).toBeUndefined()
    expect(messageAt(100)).toBe('row 100')
    expect(messageAt(6_099)).toBe('row 6099')
  })
})

describe('the blocks of rows that come with a state', () => {
  it.each([
    [0, 0, []],
    [0, 1, [[0, 0, 1]]],
    [0, 100, [[0, 0, 100]]],
    [
      300,
      250,
      [
        [3, 300, 100],
        [4, 400, 100],
        [5, 500, 50],
      ],
    ],
  ] as const)('from %d on, %d of them, have their positions and at most 100 rows', (from, count, expected) => {
    const blocks = [...cache.blocksOf(blockOf(from, count))]
    expect(blocks.map(([number, each]) => [number, each.from, each.rows.length])).toEqual(expected)
    for (const [, each] of blocks) expect(each).toEqual({ from: each.from, rows: each.rows, epoch: 3 })
    expect(blocks.flatMap(([, { rows }]) => rows)).toEqual(rowsOf('row', from, count))
  })

  it('are shown without a request in their epoch, and requested again in another one', async () => {
    cache.use(1, 3)
    const { value } = cache.version
    cache.add(cache.blocksOf(blockOf(300, 250)))
    expect(cache.version.value).toBe(value + 1)
    expect([299, 300, 549, 550].map(messageAt)).toEqual([undefined, 'row 300', 'row 549', undefined])
    await cache.load(300, 550, 550)
    expect(requests).toEqual([])
    cache.use(1, 4)
    void cache.load(300, 550, 550)
    expect(requests.map(({ from }) => from)).toEqual([300, 400, 500])
  })
  it('are requested again if they have the positions of another epoch than the state', () => {
    cache.use(1, 4)
    cache.add(cache.blocksOf(blockOf(300, 250)))
    expect(messageAt(300)).toBe('row 300')
    void cache.load(300, 550, 550)
    expect(requests.map(({ from }) => from)).toEqual([300, 400, 500])
  })
})
