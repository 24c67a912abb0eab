import { useRef, useState } from 'preact/hooks'
import { levelClasses } from './levels.ts'
import { fetchHistogram } from './server.ts'
import type { Histogram } from './server-types.ts'
import { filter, pause, setFilter, view, viewId } from './state.ts'
import { countText, dateText, durationText, timeOfDay } from './time-text.ts'
import { useThrottled } from './use-throttled.ts'

const intervals = 80
const height = 48
/** The time between two requests while records arrive, in ms. */
const refreshMillis = 300

/** The numbers of records over time, by level. Dragging selects a time. */
export function Timeline() {
  const [histogram, setHistogram] = useState<Histogram>()
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  const element = useRef<SVGSVGElement>(null)
  const { rows, epoch, first, last } = view.value
  const id = viewId.value

  useThrottled(
    () => {
      if (id !== 0) fetchHistogram(id, intervals).then(setHistogram, () => undefined)
    },
    refreshMillis,
    [id, rows, epoch, first, last],
  )

  const isZoomed = filter.value.from !== undefined || filter.value.until !== undefined
  if (histogram === undefined || rows === 0) {
    return (
      // The list does not move when the bars arrive.
      <section class={rows === 0 ? 'timeline without-bars' : 'timeline'} aria-label="Records over time">
        {isZoomed && <AllTimes />}
      </section>
    )
  }
  const max = Math.max(1, ...histogram.counts.map((counts) => counts.reduce((sum, count) => sum + count, 0)))
  const fractionAt = (event: PointerEvent): number => {
    const { left, width } = element.current!.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - left) / width))
  }
  const timeAt = (fraction: number): number => histogram.from + fraction * (histogram.until - histogram.from)
  const onEnd = (event: PointerEvent): void => {
    if (drag === undefined) return
    const [from, until] = [drag.from, fractionAt(event)].toSorted((a, b) => a - b) as [number, number]
    setDrag(undefined)
    if (until - from < 0.004) return
    pause()
    setFilter({ from: Math.floor(timeAt(from)), until: Math.ceil(timeAt(until)) })
  }
  return (
    <section class="timeline" aria-label="Records over time">
      <svg
        ref={element}
        viewBox={`0 0 ${intervals} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${countText(rows)} records in ${durationText(histogram.until - histogram.from)}`}
        onPointerDown={(event) => {
          element.current!.setPointerCapture(event.pointerId)
          setDrag({ from: fractionAt(event), to: fractionAt(event) })
        }}
        onPointerMove={(event) => drag !== undefined && setDrag({ ...drag, to: fractionAt(event) })}
        onPointerUp={onEnd}
      >
        {histogram.counts.map((counts, at) => (
          <Bar counts={counts} at={at} max={max} title={timeOfDay(timeAt(at / intervals))} key={at} />
        ))}
        {drag !== undefined && (
          <rect
            class="drag"
            x={Math.min(drag.from, drag.to) * intervals}
            width={Math.abs(drag.to - drag.from) * intervals}
            y={0}
            height={height}
          />
        )}
      </svg>
      <div class="timeline-axis">
        <span>
          {dateText(histogram.from)} {timeOfDay(histogram.from)}
        </span>
        <span>
          {durationText((histogram.until - histogram.from) / intervals)} a bar
          {isZoomed && <AllTimes />}
        </span>
        <span>{timeOfDay(histogram.until)}</span>
      </div>
    </section>
  )
}

function AllTimes() {
  return (
    <button class="link" onClick={() => setFilter({ from: undefined, until: undefined })}>
      show all times
    </button>
  )
}

interface BarProps {
  readonly counts: readonly number[]
  readonly at: number
  readonly max: number
  readonly title: string
}

/** The records of an interval, the most severe at the bottom, where they are seen best. */
function Bar({ counts, at, max, title }: BarProps) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let top = height
  return (
    <g>
      <title>{`${title}: ${countText(total)}`}</title>
      {levelClasses.toReversed().map((level) => {
        const count = counts[levelClasses.indexOf(level)]!
        if (count === 0) return null
        // A few errors among many records are still seen.
        const size = Math.max(1.5, (count / max) * height)
        top -= size
        return (
          <rect class={`level-${level}`} x={at + 0.08} width={0.84} y={Math.max(0, top)} height={size} key={level} />
        )
      })}
    </g>
  )
}
