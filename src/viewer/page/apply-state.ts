import { batch } from '@preact/signals'
import { listScroll } from './list-scroll.ts'
import { rowCache } from './row-cache.ts'
import { overscan } from './virtual-rows.ts'
import { fetchPosition } from './server.ts'
import type { RowBlock, RowPosition, ViewState } from './server-types.ts'
import { addedAtPause, isFollowing, revealsSelected, selected, selectedIndex, view, viewId } from './state.ts'

interface ArrivedState {
  /** The number of the view. */
  readonly id: number
  readonly state: ViewState
  /** Its newest rows, if they came with the state. */
  readonly newest: RowBlock | undefined
}

/** The newest state that is not shown yet; undefined if all are. */
let waiting: ArrivedState | undefined
let isMoving = false
/** The sequence number of the record that stays in place while a view is searched. */
let anchor: number | undefined

/** Shows a new state of a view. If rows have other positions, those that are seen stay in place: their new positions are requested first. */
export function applyState(arrived: ArrivedState): void {
  const { id, state } = arrived
  waiting = arrived
  if (isMoving) return
  const isMoved = id !== viewId.value || state.epoch !== view.value.epoch
  if (isMoved) void moveRows()
  else showWaiting()
}

/** Ends keeping a record in place, because the user scrolls. */
export function releaseAnchor(): void {
  anchor = undefined
  revealsSelected.value = false
}

async function moveRows(): Promise<void> {
  isMoving = true
  // Another state may have arrived meanwhile.
  for (let next = waiting; next !== undefined; next = waiting) await moveRowsTo(next)
  isMoving = false
}

async function moveRowsTo({ id, state: { rows }, newest }: ArrivedState): Promise<void> {
  const row = listScroll.firstRow
  anchor ??= isFollowing.value ? undefined : rowCache.get(row)?.seq
  const [selectedAt, anchorAt] = await Promise.all([positionOf(id, selected.value), positionOf(id, anchor)])
  const mustReveal = revealsSelected.value && selectedAt?.isInView === true
  const first = isFollowing.value
    ? rows - listScroll.windowRows
    : mustReveal
      ? selectedAt.index - listScroll.windowRows / 2
      : (anchorAt?.index ?? row) - overscan
  // The rows are requested before the state is shown, so that they are not missing for a moment.
  const blocks =
    newest !== undefined && newest.from <= Math.max(0, first)
      ? rowCache.blocksOf(newest)
      : await rowCache.fetchBlocks(id, first, listScroll.windowRows).catch(() => new Map<number, RowBlock>())
  // The filter has changed meanwhile.
  if (id !== waiting?.id) return
  const isSearched = waiting.state.untested === 0
  batch(() => {
    showWaiting()
    rowCache.use(id, view.value.epoch)
    rowCache.add(blocks)
    selectedIndex.value = selectedAt?.isInView === true ? selectedAt.index : -1
    if (mustReveal) listScroll.reveal(selectedAt.index)
    else if (anchorAt !== undefined) listScroll.moveByRows(anchorAt.index - row)
  })
  if (isSearched) releaseAnchor()
}

async function positionOf(id: number, seq: number | undefined): Promise<RowPosition | undefined> {
  // A view that is closed has no positions.
  return seq === undefined ? undefined : fetchPosition(id, seq).catch(() => undefined)
}

function showWaiting(): void {
  if (waiting === undefined) return
  const { id, state } = waiting
  waiting = undefined
  batch(() => {
    // All records that a new view reports as added have arrived after it was opened.
    if (id !== viewId.value) addedAtPause.value = 0
    viewId.value = id
    view.value = state
  })
}
