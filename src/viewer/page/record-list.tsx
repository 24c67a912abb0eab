import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { releaseAnchor } from './apply-state.ts'
import { EmptyList } from './empty-list.tsx'
import { classOf } from './levels.ts'
import { listScroll } from './list-scroll.ts'
import { rowCache } from './row-cache.ts'
import { rowId, RowLine } from './row-line.tsx'
import { follow, isFollowing, newRows, pause, select, selected, selectedIndex, view, viewId } from './state.ts'
import { countText } from './time-text.ts'
import { indexesOf } from './virtual-rows.ts'

/** The list of all records of the view. Only the rows in the window exist in the document. */
export function RecordList() {
  const element = useRef<HTMLDivElement>(null)
  const { rows: total, epoch } = view.value
  void listScroll.version.value
  void rowCache.version.value
  const rows = listScroll.windowOf(total, isFollowing.value)
  rowCache.use(viewId.value, epoch)

  useLayoutEffect(() => {
    const list = element.current!
    listScroll.attach(list)
    const observer = new ResizeObserver(() => listScroll.resize(list.clientHeight))
    observer.observe(list)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => listScroll.applyTo(element.current!))
  // The row before the first one is needed for the time between them.
  useEffect(() => void rowCache.load(Math.max(0, rows.first - 1), rows.end, total))

  return (
    <div class="records">
      <div
        class="list"
        ref={element}
        onScroll={onScroll}
        role="grid"
        aria-label="Records"
        aria-rowcount={total}
        aria-activedescendant={selectedIndex.value >= 0 ? rowId(selectedIndex.value) : undefined}
        tabIndex={0}
        id="records"
      >
        <div class="list-space" style={{ height: `${listScroll.height}px` }}>
          <div class="list-rows" role="rowgroup" style={{ transform: `translateY(${rows.offset}px)` }}>
            {indexesOf(rows).map((index) => {
              const row = rowCache.get(index)
              return row === undefined ? (
                <div class="row loading" role="row" aria-rowindex={index + 1} key={-index - 1}>
                  <span role="gridcell">…</span>
                </div>
              ) : (
                <RowLine
                  key={row.seq}
                  row={row}
                  index={index}
                  previous={rowCache.get(index - 1)}
                  level={classOf(row.severity)}
                  isSelected={row.seq === selected.value}
                  onSelect={() => select(row, index)}
                />
              )
            })}
          </div>
        </div>
      </div>
      {total === 0 && <EmptyList />}
      {newRows.value > 0 && (
        <button class="new-rows" onClick={showNewest}>
          ↓ {countText(newRows.value)} new
        </button>
      )}
    </div>
  )
}

/** Handles a move of the scroll bar. The event can arrive after another panel has replaced the list. */
function onScroll({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  const direction = listScroll.scrolled(currentTarget.scrollTop)
  if (direction === 0) return
  releaseAnchor()
  if (direction < 0) pause()
  else if (listScroll.isAtEnd && selected.value === undefined) follow()
}

function showNewest(): void {
  follow()
  // The button disappears.
  document.getElementById('records')?.focus()
}
