import { beforeAll, expect } from '@jest/globals'
import { inParallel } from '../support/processes/exits.ts'
import { needs } from '../support/needs.ts'
import { runRow } from './harness/run-row.ts'
import type { FaultRow } from './rows/row.ts'
import { rows } from './rows/rows.ts'

const there = new Map([...new Set(rows.map((row) => row.needs))].map((need) => [need, need?.isAvailable() ?? true]))
const wrong = new Map<FaultRow, readonly string[]>()

// Most rows wait for something, so several run at the same time.
beforeAll(async () => {
  const able = rows.filter((row) => there.get(row.needs))
  await inParallel(
    4,
    able.map((row) => async () => void wrong.set(row, await runRow(row, 'sluice'))),
  )
}, 120_000)

for (const row of rows) {
  const able = needs(row.needs?.what ?? 'nothing', there.get(row.needs)!)
  able(row.fault, () => {
    expect(wrong.get(row)).toEqual([])
  })
}
