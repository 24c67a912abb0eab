import { templateText } from '../../read/templates/templates.ts'
import { otherTemplate, type LogStore } from '../store/log-store.ts'
import { levelClasses, levelClassOf } from './level-classes.ts'
import type { RowList } from './row-list.ts'

/** The rows of one template. */
export interface TemplateGroup {
  readonly template: number
  readonly text: string
  count: number
  /** The number of rows of each class of levels. */
  readonly levels: number[]
  readonly firstTime: number
  lastTime: number
}

/** Groups the rows of a view by template, the most frequent first. */
export function templateGroups(store: LogStore, rows: RowList): TemplateGroup[] {
  const groups = new Map<number, TemplateGroup>()
  const { sequences, times, severities, length } = rows
  for (let index = 0; index < length; index++) {
    const place = store.placeOf(sequences[index]!)
    if (place === undefined) continue
    const template = place.segment.templates[place.index]!
    const time = times[index]!
    let group = groups.get(template)
    if (group === undefined) {
      const levels = levelClasses.map(() => 0)
      group = { template, text: textOf(store, template), count: 0, levels, firstTime: time, lastTime: time }
      groups.set(template, group)
    }
    group.count++
    group.levels[levelClassOf(severities[index]!)]!++
    group.lastTime = time
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count)
}

function textOf({ templates }: LogStore, id: number): string {
  const template = id === otherTemplate ? undefined : templates.byId(id)
  return template === undefined ? '(other messages)' : templateText(template)
}
