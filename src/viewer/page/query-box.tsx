import { useRef, useState } from 'preact/hooks'
import { completionsAt, type Completion } from './completions.ts'
import { filter, queryProblem, setFilter } from './state.ts'
import { fetchKeys } from './server.ts'
import type { KeyInfo } from './server-types.ts'

/** How long after the last key the query is applied, in ms. */
const applyMillis = 120

/** The query, with completions of keys and values. */
export function QueryBox() {
  const input = useRef<HTMLInputElement>(null)
  const [keys, setKeys] = useState<readonly KeyInfo[]>([])
  const [text, setText] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = text ?? filter.value.query
  const completions = isOpen ? completionsAt(shown, input.current?.selectionStart ?? shown.length, keys) : []
  // A query that is being completed is not complete.
  const problem = completions.length === 0 ? queryProblem.value : undefined

  const apply = (query: string): void => {
    clearTimeout(timer.current)
    setText(undefined)
    setFilter({ query })
  }
  const change = (query: string): void => {
    setText(query)
    setChosen(-1)
    setOpen(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => apply(query), applyMillis)
  }
  const complete = ({ start, end, insert }: Completion): void => {
    const query = shown.slice(0, start) + insert + shown.slice(end)
    setOpen(false)
    apply(query)
    input.current!.value = query
    input.current!.setSelectionRange(start + insert.length, start + insert.length)
    input.current!.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = completions.length
    if (event.key === 'Escape') {
      if (count > 0) setOpen(false)
      else leave(input.current!)
    } else if (event.key === 'ArrowDown' && count > 0) setChosen((chosen + 1) % count)
    else if (event.key === 'ArrowUp' && count > 0) setChosen((chosen + count - 1) % count)
    else if ((event.key === 'Tab' || event.key === 'Enter') && count > 0 && (chosen >= 0 || event.key === 'Tab'))
      complete(completions[Math.max(0, chosen)]!)
    else if (event.key === 'Enter') {
      setOpen(false)
      apply(shown)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class="query">
      <input
        id="query"
        ref={input}
        type="text"
        spellcheck={false}
        autocomplete="off"
        role="combobox"
        aria-label="Query"
        aria-expanded={completions.length > 0}
        aria-autocomplete="list"
        aria-controls="completions"
        aria-activedescendant={chosen >= 0 && completions.length > 0 ? `completion-${chosen}` : undefined}
        aria-invalid={problem !== undefined}
        aria-describedby="query-problem"
        placeholder={'level>=warn and duration_ms>100 or "text"   ( / )'}
        value={shown}
        onFocus={() => void fetchKeys().then(setKeys, () => undefined)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {shown !== '' && (
        <button class="clear" aria-label="Clear the query" onClick={() => apply('')}>
          ×
        </button>
      )}
      {completions.length > 0 && (
        <ul class="completions" id="completions" role="listbox" aria-label="Completions">
          {completions.map((completion, at) => (
            <li
              key={completion.label}
              id={`completion-${at}`}
              role="option"
              aria-selected={at === chosen}
              onPointerDown={(event) => {
                event.preventDefault()
                complete(completion)
              }}
            >
              <span>{completion.label}</span>
              <span class="note">{completion.detail}</span>
            </li>
          ))}
        </ul>
      )}
      <div id="query-problem" role="status">
        {problem !== undefined && (
          <span class="problem">
            {problem.position !== undefined && (
              <>
                <code>{shown.slice(Math.max(0, problem.position - 20), problem.position)}</code>
                <code class="at">{shown.slice(problem.position, problem.position + 12) || '␣'}</code>{' '}
              </>
            )}
            {problem.message}
          </span>
        )}
      </div>
    </div>
  )
}

/** Moves the focus from the query to the records. */
function leave(input: HTMLInputElement): void {
  input.blur()
  document.getElementById('records')?.focus()
}
