import { levelClasses, type LevelClass } from './levels.ts'
import { filter, panel, setFilter, view } from './state.ts'
import { shownInLine } from './shown-text.ts'
import { countText } from './time-text.ts'

const maxServices = 50

/** The levels, the services and the other ways to see the records. */
export function Sidebar() {
  const { levels, services } = view.value
  const { levels: chosen, services: chosenServices } = filter.value
  return (
    <nav class="sidebar" aria-label="Filters">
      <section>
        <h2>Levels</h2>
        {levelClasses.toReversed().map((level) => {
          const count = levels[levelClasses.indexOf(level)] ?? 0
          if (count === 0 && (level === 'none' || level === 'fatal' || level === 'trace') && !chosen.includes(level))
            return null
          return (
            <button
              key={level}
              class={`chip level-${level}`}
              aria-pressed={chosen.includes(level)}
              title={`${level}: click to show only these, with Shift also this level and more severe ones`}
              onClick={(event) => setFilter({ levels: event.shiftKey ? fromLevel(level) : toggled(chosen, level) })}
            >
              <span class="swatch" />
              <span class="name">{level === 'none' ? 'no level' : level}</span>
              <span class="count">{countText(count)}</span>
            </button>
          )
        })}
      </section>
      {services.length + chosenServices.length > 0 && (
        <section>
          <h2>Services</h2>
          {shownServices(services, chosenServices).map(([name, count]) => (
            <button
              key={name}
              class="chip"
              aria-pressed={chosenServices.includes(name)}
              title={name}
              onClick={() => setFilter({ services: toggled(chosenServices, name) })}
            >
              <span class="name">{name === '' ? 'no service' : shownInLine(name)}</span>
              <span class="count">{countText(count)}</span>
            </button>
          ))}
          {services.length > maxServices && <p class="note">and {countText(services.length - maxServices)} more</p>}
        </section>
      )}
      <section>
        <h2>View</h2>
        <button class="chip" aria-pressed={panel.value === 'records'} onClick={() => (panel.value = 'records')}>
          <span class="name">Records</span>
        </button>
        <button class="chip" aria-pressed={panel.value === 'templates'} onClick={() => (panel.value = 'templates')}>
          <span class="name">Messages by template</span>
        </button>
        {view.value.database !== null && (
          <button class="chip" aria-pressed={panel.value === 'older'} onClick={() => (panel.value = 'older')}>
            <span class="name">Older records</span>
            <span class="count">{countText(view.value.database.older)}</span>
          </button>
        )}
      </section>
    </nav>
  )
}

/** Returns the most frequent services, and those that are chosen. */
function shownServices(
  services: readonly (readonly [name: string, count: number])[],
  chosen: readonly string[],
): readonly (readonly [name: string, count: number])[] {
  const first = services.slice(0, maxServices)
  const others = chosen.filter((name) => first.every(([each]) => each !== name))
  return [...first, ...others.map((name) => [name, new Map(services).get(name) ?? 0] as const)]
}

function toggled<T>(list: readonly T[], item: T): T[] {
  return list.includes(item) ? list.filter((each) => each !== item) : [...list, item]
}

function fromLevel(level: LevelClass): LevelClass[] {
  return levelClasses.slice(levelClasses.indexOf(level))
}
