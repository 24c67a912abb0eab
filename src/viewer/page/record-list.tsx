import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { classOf } from './levels.ts'
import { rowCache } from './row-cache.ts'
import { RowLine } from './row-line.tsx'
import {
  follow,
  isFiltered,
  isFollowing,
  newRows,
  pause,
  select,
  selected,
  selectedIndex,
  setFilter,
  noFilter,
  view,
  viewId,
} from './state.ts'
import { countText } from './time-text.ts'
import { VirtualRows } from './virtual-rows.ts'

/** The list of all records of the view. Only the rows in the window exist in the document. */
export function RecordList() {
  const element = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const { rows: total, epoch } = view.value
  const virtual = new VirtualRows(total, height, top)
  rowCache.use(viewId.value, epoch)
  void rowCache.version.value

  useLayoutEffect(() => {
    const list = element.current!
    const observer = new ResizeObserver(() => setHeight(list.clientHeight))
    observer.observe(list)
    return () => observer.disconnect()
  }, [])
  useEffect(() => void rowCache.load(virtual.first, virtual.end, total))
  useLayoutEffect(() => {
    if (isFollowing.value) element.current!.scrollTop = element.current!.scrollHeight
  }, [total, height, isFollowing.value])
  useLayoutEffect(() => {
    const index = selectedIndex.value
    if (index >= 0) virtual.reveal(element.current!, index)
  }, [selectedIndex.value])

  const onScroll = (): void => {
    const list = element.current!
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 2
    if (!isAtEnd && list.scrollTop < top) pause()
    else if (isAtEnd && selected.value === undefined) follow()
    setTop(list.scrollTop)
  }

  return (
    <div class="records">
      <div
        class="list"
        ref={element}
        onScroll={onScroll}
        role="grid"
        aria-label="Records"
        aria-rowcount={total}
        tabIndex={0}
        id="records"
      >
        <div class="list-space" style={{ height: `${virtual.height}px` }}>
          <div class="list-rows" role="rowgroup" style={{ transform: `translateY(${virtual.offset}px)` }}>
            {virtual.indexes().map((index) => {
              const row = rowCache.get(index)
              return row === undefined ? (
                <div class="row loading" role="row" aria-rowindex={index + 1} key={index} />
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
        <button class="new-rows" onClick={() => follow()}>
          ↓ {countText(newRows.value)} new
        </button>
      )}
    </div>
  )
}

function EmptyList() {
  const { stored, untested } = view.value
  if (untested > 0) return <div class="empty">Searching {countText(untested)} records…</div>
  if (stored > 0 && isFiltered.value) {
    return (
      <div class="empty">
        <p>None of {countText(stored)} records matches.</p>
        <button onClick={() => setFilter(noFilter)}>Show all records</button>
      </div>
    )
  }
  return (
    <div class="empty">
      <h2>Waiting for records</h2>
      <p>Send logs of OpenTelemetry to this address:</p>
      <pre>{`OTEL_EXPORTER_OTLP_ENDPOINT=${location.origin}\nOTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`}</pre>
      <p>Or let the viewer start the program:</p>
      <pre>npx sluice ui -- node app.js</pre>
    </div>
  )
}
