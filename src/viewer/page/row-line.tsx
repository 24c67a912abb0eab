import type { LevelClass } from './levels.ts'
import type { Row } from './server-types.ts'
import { shownInLine } from './shown-text.ts'
import { now, timeStyle, view } from './state.ts'
import { agoText, dateText, durationText, timeOfDay } from './time-text.ts'

interface RowLineProps {
  readonly row: Row
  readonly index: number
  readonly previous: Row | undefined
  readonly level: LevelClass
  readonly isSelected: boolean
  onSelect(): void
}

/** Returns the ID of the element of a row. */
export function rowId(index: number): string {
  return `row-${index}`
}

/** A record as one line. */
export function RowLine({ row, index, previous, level, isSelected, onSelect }: RowLineProps) {
  return (
    <div
      class={`row level-${level}${isSelected ? ' selected' : ''}`}
      id={rowId(index)}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      onClick={onSelect}
    >
      <span class="time" role="gridcell" title={`${dateText(row.time)} ${timeOfDay(row.time)}`}>
        {timeText(row, previous)}
      </span>
      <span class="level" role="gridcell" title={row.level}>
        {row.level === '' ? '–' : shownInLine(row.level)}
      </span>
      {view.value.services.length > 1 && (
        <span class="service" role="gridcell" title={row.service}>
          {shownInLine(row.service)}
        </span>
      )}
      <span class="message" role="gridcell">
        {row.hasException && <b class="mark">✖ </b>}
        {row.scope !== '' && <span class="scope">{shownInLine(row.scope)} </span>}
        <RowText row={row} />
      </span>
    </div>
  )
}

/** The message of a record and its first attributes. */
export function RowText({ row }: { readonly row: Row }) {
  return (
    <>
      <span class="text">{shownInLine(row.message === '' && row.event !== '' ? row.event : row.message)}</span>
      {row.attributes.map(([name, value], at) => (
        <span class="attribute" key={at}>
          {' '}
          {shownInLine(name)}=<i>{shownInLine(value)}</i>
        </span>
      ))}
    </>
  )
}

function timeText({ time }: Row, previous: Row | undefined): string {
  switch (timeStyle.value) {
    case 'relative':
      return agoText(time, now.value)
    case 'delta':
      return previous === undefined ? '' : `+${durationText(time - previous.time)}`
    default:
      return timeOfDay(time)
  }
}
