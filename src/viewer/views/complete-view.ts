import type { LogStore } from '../store/log-store.ts'
import { LogView } from './log-view.ts'
import type { ViewFilter } from './view-filter.ts'

const sliceMillis = 15

/**
 * Returns a view for which all records were tested that the store has at the start. Other work continues meanwhile.
 *
 * @param isStopped - returns whether the view is no longer needed. The records that were not tested yet are missing then.
 */
export async function completeView(store: LogStore, filter: ViewFilter, isStopped: () => boolean): Promise<LogView> {
  const view = new LogView(store, filter)
  for (;;) {
    const end = performance.now() + sliceMillis
    view.updateOld(() => performance.now() > end)
    if (view.untestedOld === 0 || isStopped()) return view
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
