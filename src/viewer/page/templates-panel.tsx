import { useState } from 'preact/hooks'
import { levelClasses } from './levels.ts'
import { fetchTemplates } from './server.ts'
import type { TemplateGroup } from './server-types.ts'
import { shownInLine } from './shown-text.ts'
import { panel, setFilter, view, viewId } from './state.ts'
import { countText, timeOfDay } from './time-text.ts'
import { useThrottled } from './use-throttled.ts'

const refreshMillis = 1_000

/** The records of the view, grouped by the template of their message. */
export function TemplatesPanel() {
  const [groups, setGroups] = useState<readonly TemplateGroup[]>([])
  const id = viewId.value
  const { rows, added } = view.value
  useThrottled(
    () => {
      if (id !== 0) fetchTemplates(id).then(setGroups, () => undefined)
    },
    refreshMillis,
    [id, rows, added],
  )
  return (
    <div class="templates">
      <table>
        <colgroup>
          <col class="count-column" />
          <col class="levels-column" />
          <col />
          <col class="time-column" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" class="number">
              Records
            </th>
            <th scope="col">Levels</th>
            <th scope="col">Message</th>
            <th scope="col" class="extra">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.template}>
              <td class="number">{countText(group.count)}</td>
              <td>
                <LevelBar levels={group.levels} total={group.count} />
              </td>
              <td>
                <button class="link" onClick={() => show(group.template)}>
                  {group.text === '' ? '(no message)' : shownInLine(group.text)}
                </button>
              </td>
              <td class="extra">{timeOfDay(group.lastTime)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function show(template: number): void {
  panel.value = 'records'
  setFilter({ template })
}

function LevelBar({ levels, total }: { readonly levels: readonly number[]; readonly total: number }) {
  const names = levelClasses.filter((_, at) => levels[at]! > 0)
  return (
    <span class="level-bar" title={names.map((name) => `${name} ${levels[levelClasses.indexOf(name)]}`).join(', ')}>
      {names.map((name) => (
        <span
          class={`level-${name}`}
          style={{ width: `${(levels[levelClasses.indexOf(name)]! / total) * 100}%` }}
          key={name}
        />
      ))}
    </span>
  )
}
