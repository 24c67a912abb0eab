import { filter, selectedIndex, setFilter, view } from './state.ts'
import { rowCache } from './row-cache.ts'

/** Returns the times from the first record of the view to its last one, or those that were chosen. */
function shownTimes(): { readonly from: number; readonly until: number } | undefined {
  const { from, until } = filter.value
  const { first, last } = view.value
  const start = from ?? first
  const end = until ?? (last === null ? null : last + 1)
  return start === null || end === null ? undefined : { from: start, until: end }
}

/** Changes how much time is shown, around the selected record. The center of the time is used if none is selected. */
export function zoomTimes(factor: number): void {
  const times = shownTimes()
  if (times === undefined) return
  const width = times.until - times.from
  const center = rowCache.get(selectedIndex.value)?.time ?? times.from + width / 2
  const newWidth = Math.max(2, width * factor)
  const from = Math.floor(center - (center - times.from) * (newWidth / width))
  setTimes(from, Math.ceil(from + newWidth))
}

/** Shows earlier or later times, by a part of the time that is shown. */
export function moveTimes(part: number): void {
  const times = shownTimes()
  const { from, until } = filter.value
  // All times are shown.
  if (times === undefined || (from === undefined && until === undefined)) return
  const by = Math.trunc((times.until - times.from) * part)
  setTimes(times.from + by, times.until + by)
}

function setTimes(from: number, until: number): void {
  setFilter({ from, until })
}
