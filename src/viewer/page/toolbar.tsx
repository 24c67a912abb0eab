import { exportAddress } from './server.ts'
import { follow, isFollowing, pause, showsHelp, timeStyle, type TimeStyle } from './state.ts'
import { theme, type Theme } from './theme.ts'

const timeStyles: readonly TimeStyle[] = ['absolute', 'relative', 'delta']
const themes: readonly Theme[] = ['auto', 'light', 'dark']

/** The buttons at the end of the first line. */
export function Toolbar() {
  const isLive = isFollowing.value
  return (
    <div class="toolbar">
      <button
        class={isLive ? 'live' : ''}
        aria-pressed={isLive}
        title={isLive ? 'Stop following new records (Space)' : 'Follow new records (Space)'}
        onClick={() => (isLive ? pause() : follow())}
      >
        {isLive ? '❚❚ Pause' : '▶ Follow'}
      </button>
      <label>
        <span class="hidden">Times</span>
        <select
          title="How times are shown (t)"
          value={timeStyle.value}
          onChange={(event) => (timeStyle.value = event.currentTarget.value as TimeStyle)}
        >
          {timeStyles.map((style) => (
            <option value={style} key={style}>
              {style}
            </option>
          ))}
        </select>
      </label>
      <ExportMenu />
      <label>
        <span class="hidden">Colors</span>
        <select value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as Theme)}>
          {themes.map((name) => (
            <option value={name} key={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button aria-label="Help" title="Keys and queries (?)" onClick={() => (showsHelp.value = true)}>
        ?
      </button>
    </div>
  )
}

const formats = [
  ['otlp', 'OTLP/JSON lines'],
  ['text', 'Text'],
  ['html', 'HTML page'],
] as const

function ExportMenu() {
  return (
    <details class="menu" onFocusOut={closeMenu}>
      <summary title="Save the records of this view">Export</summary>
      <ul>
        {formats.map(([format, name]) => (
          <li key={format}>
            <a href={exportAddress(format, false)} download={`records.${extensions[format]}`}>
              {name}
            </a>
            <a class="redacted" href={exportAddress(format, true)} download={`records.${extensions[format]}`}>
              without secrets
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Closes the menu when the focus leaves it. */
function closeMenu(event: FocusEvent & { readonly currentTarget: HTMLDetailsElement }): void {
  const { currentTarget: menu, relatedTarget } = event
  if (!(relatedTarget instanceof Node) || !menu.contains(relatedTarget)) menu.open = false
}

const extensions = { otlp: 'jsonl', text: 'log', html: 'html' } as const
