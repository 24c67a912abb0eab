import { releaseAnchor } from './apply-state.ts'
import { show } from './copy-text.ts'
import { listScroll } from './list-scroll.ts'
import { rowCache } from './row-cache.ts'
import { rowHeight } from './row-height.ts'
import { fetchNextError, problemOf } from './server.ts'
import { pause, select, selectedIndex, view, viewId } from './state.ts'

/** Selects the record that is a number of rows after the selected one. */
export function moveBy(rows: number): void {
  const from = selectedIndex.value >= 0 ? selectedIndex.value : view.value.rows
  moveTo(Math.min(view.value.rows - 1, Math.max(0, from + rows)))
}

/** Selects the record that is some windows after the selected one. */
export function moveByPage(pages: number): void {
  const height = document.getElementById('records')?.clientHeight ?? 0
  moveBy(pages * Math.max(1, Math.floor(height / rowHeight) - 2))
}

/** Selects the record at a position. */
export function moveTo(index: number): void {
  if (index < 0) return
  pause()
  releaseAnchor()
  const row = rowCache.get(index)
  selectedIndex.value = index
  listScroll.reveal(index)
  if (row === undefined) void selectLater(index)
  else select(row, index)
}

async function selectLater(index: number): Promise<void> {
  await rowCache.load(index, index + 1, view.value.rows)
  if (selectedIndex.value === index) select(rowCache.get(index), index)
}

/** Selects the next record of the level error or above. */
export async function moveToError(direction: 1 | -1): Promise<void> {
  const total = view.value.rows
  const start = selectedIndex.value >= 0 ? selectedIndex.value : direction > 0 ? -1 : total
  const found = await fetchNextError(viewId.value, start, direction).catch((error: unknown) => problemOf(error))
  if (typeof found === 'string') show(`The search failed: ${found}`)
  else if (found.index === null) show(direction > 0 ? 'There are no later errors' : 'There are no earlier errors')
  else moveTo(found.index)
}
