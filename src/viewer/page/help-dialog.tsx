import { keyBindings } from './keyboard.ts'
import { ModalDialog } from './modal-dialog.tsx'
import { showsHelp } from './state.ts'

const queries = [
  ['level>=warn', 'a level and more severe ones'],
  ['duration_ms>100 and tenant=acme', 'values of attributes'],
  ['"connection lost"', 'a text in the message or an attribute'],
  ['http.route like "/orders/*"', 'a pattern'],
  ['message ~ /time ?out/i', 'a regular expression'],
  ['time > -5m', 'the last five minutes'],
  ['service in (shop, mail) and exists(exception.type)', 'lists, and keys that exist'],
] as const

/** The keys and the query language. */
export function HelpDialog() {
  if (!showsHelp.value) return null
  return (
    <ModalDialog class="help" label="Keys and queries" onClose={close}>
      <header>
        <h1>Keys and queries</h1>
        <button class="icon" aria-label="Close the help" onClick={close}>
          ×
        </button>
      </header>
      <div class="columns">
        <dl>
          {keyBindings.map(({ keys, help }) => (
            <div key={help}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{names[key] ?? key}</kbd>
                ))}
              </dt>
              <dd>{help}</dd>
            </div>
          ))}
        </dl>
        <dl>
          {queries.map(([query, help]) => (
            <div key={query}>
              <dt>
                <code>{query}</code>
              </dt>
              <dd>{help}</dd>
            </div>
          ))}
        </dl>
      </div>
    </ModalDialog>
  )
}

function close(): void {
  showsHelp.value = false
}

const names: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}
