import { describe, expect } from '@jest/globals'
import { needs } from '../support/needs.ts'
import { runRow } from './harness/process-bench.ts'
import type { Row } from './rows/row.ts'
import * as shared from './rows/shared-sinks.ts'
import * as threads from './rows/threads.ts'

const rows: readonly Row[] = [...Object.values(threads), ...Object.values(shared)]

describe('nothing is lost, torn or doubled', () => {
  for (const row of rows) {
    const { what = 'Node', isThere = () => true } = row.needs ?? {}
    needs(what, isThere())(`when ${row.fault} (row ${row.row})`, async () =>
      expect(await runRow(row, 'sluice')).toEqual([]),
    )
  }
})
