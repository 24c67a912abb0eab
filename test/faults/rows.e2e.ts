import { beforeAll, expect } from '@jest/globals'
import { inParallel } from '../support/processes/exits.ts'
import { needs } from '../support/needs.ts'
import { runRow } from './harness/bench.ts'
import type { Row } from './rows/row.ts'
import { rows } from './rows/rows.ts'

const there = new Map([...new Set(rows.map((row) => row.needs))].map((need) => [need, need?.isThere() ?? true]))
const wrong = new Map<Row, readonly string[]>()

// Most of them wait for something: some at a time take a quarter of the time.
beforeAll(async () => {
  const able = rows.filter((row) => there.get(row.needs))
  await inParallel(
    4,
    able.map((row) => async () => void wrong.set(row, await runRow(row, 'sluice'))),
  )
}, 120_000)

for (const row of rows) {
  const able = needs(row.needs?.what ?? 'nothing', there.get(row.needs)!)
  able(`${row.fault} (row ${row.row})`, () => {
    expect(wrong.get(row)).toEqual([])
  })
}
