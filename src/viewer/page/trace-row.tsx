import { classOf } from './levels.ts'
import { RecordParts } from './record-parts.tsx'
import { RowText } from './row-line.tsx'
import type { Row } from './server-types.ts'
import { shownInLine } from './shown-text.ts'
import { durationText, timeOfDay } from './time-text.ts'

interface TraceRowProps {
  readonly row: Row
  readonly start: number
  /** The shortest pause that is shown, in ms. */
  readonly minGap: number
  readonly previous: Row | undefined
  readonly spanName: string | undefined
  readonly isOpen: boolean
  onToggle(): void
}

/** A record of a trace as one line, after the pause before it. */
export function TraceRow({ row, start, minGap, previous, spanName, isOpen, onToggle }: TraceRowProps) {
  const gap = previous === undefined ? 0 : row.time - previous.time
  return (
    <>
      {gap > 0 && gap >= minGap && <li class="gap">{durationText(gap)} later</li>}
      <li class={`row level-${classOf(row.severity)}${isOpen ? ' selected' : ''}`}>
        <button class="link" aria-expanded={isOpen} onClick={onToggle} title={timeOfDay(row.time)}>
          +{durationText(row.time - start)}
        </button>
        <span class="level">{row.level === '' ? '–' : shownInLine(row.level)}</span>
        <span class="service" title={row.service}>
          {shownInLine(row.service)}
        </span>
        <span class="message">
          {row.hasException && <b class="mark">✖ </b>}
          {spanName !== undefined && <span class="scope">{shownInLine(spanName)} </span>}
          <RowText row={row} />
        </span>
      </li>
      {isOpen && (
        <li class="trace-record">
          <RecordParts seq={row.seq} isInTrace />
        </li>
      )}
    </>
  )
}
