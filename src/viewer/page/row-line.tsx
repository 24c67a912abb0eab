import type { LevelClass } from './levels.ts'
import type { Row } from './server-types.ts'
import { timeStyle, view } from './state.ts'
import { agoText, dateText, durationText, timeOfDay } from './time-text.ts'

interface RowLineProps {
  readonly row: Row
  readonly index: number
  readonly previous: Row | undefined
  readonly level: LevelClass
  readonly isSelected: boolean
  onSelect(): void
}

/** A record as one line. */
export function RowLine({ row, index, previous, level, isSelected, onSelect }: RowLineProps) {
  return (
    <div
      class={`row ${level}${isSelected ? ' selected' : ''}`}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      onClick={onSelect}
    >
      <span class="time" role="gridcell" title={`${dateText(row.time)} ${timeOfDay(row.time)}`}>
        {timeText(row, previous)}
      </span>
      <span class="level" role="gridcell">
        {row.level === '' ? '–' : row.level}
      </span>
      {view.value.services.length > 1 && (
        <span class="service" role="gridcell">
          {row.service}
        </span>
      )}
      <span class="message" role="gridcell">
        {row.hasException && <b class="mark">✖ </b>}
        {row.scope !== '' && <span class="scope">{row.scope} </span>}
        {row.message === '' && row.event !== '' ? row.event : row.message}
        {row.attributes.map(([name, value]) => (
          <span class="attribute" key={name}>
            {' '}
            {name}=<i>{value}</i>
          </span>
        ))}
      </span>
    </div>
  )
}

function timeText({ time }: Row, previous: Row | undefined): string {
  switch (timeStyle.value) {
    case 'relative':
      return agoText(time, Date.now())
    case 'delta':
      return previous === undefined ? '' : `+${durationText(time - previous.time)}`
    default:
      return timeOfDay(time)
  }
}
