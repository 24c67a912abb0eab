import type { LogStore } from '../store/log-store.ts'
import { LogView } from './log-view.ts'
import type { ViewFilter } from './view-filter.ts'

const sliceMillis = 15

/** Returns a view for which all records were tested. Other work continues meanwhile. */
export async function completeView(store: LogStore, filter: ViewFilter): Promise<LogView> {
  const view = new LogView(store, filter)
  for (;;) {
    const end = performance.now() + sliceMillis
    view.update(() => performance.now() > end)
    if (view.untested === 0) return view
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
