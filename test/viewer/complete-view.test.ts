import { describe, expect, it } from '@jest/globals'
import { parseQuery } from '../../src/read/query/parse-query.ts'
import { addLogsRequest } from '../../src/viewer/otlp/add-logs.ts'
import { completeView } from '../../src/viewer/views/complete-view.ts'
import { LogView } from '../../src/viewer/views/log-view.ts'
import { requestOf, storeWith } from './support.ts'

/** A record for which the expression takes about a millisecond. */
const slow = { body: `${'a'.repeat(17)}!` }
const filter = { query: parseQuery('not message ~ "^(a+)+$"') }
const slowRecords = (count: number) => Array.from({ length: count }, () => slow)

describe('completeView', () => {
  it('tests the records that the store has at the start, although others arrive faster than they are tested', async () => {
    const store = storeWith(slowRecords(100))
    let slices = 0
    const view = await completeView(store, filter, () => {
      addLogsRequest(store, requestOf(slowRecords(200)), 0)
      return ++slices > 150
    })
    expect(view.rows.length).toBe(100)
    expect(view.untestedOld).toBe(0)
  })

  it('stops when the view is no longer needed', async () => {
    const view = await completeView(storeWith(slowRecords(2_000)), filter, () => true)
    expect(view.untestedOld).toBeGreaterThan(0)
  })
})

describe('LogView', () => {
  it('tests records singly first if a regular expression can take long', () => {
    const view = new LogView(storeWith(slowRecords(100)), filter)
    view.update(() => true)
    expect(view.untested).toBe(99)
  })
})
