import { rowCache } from './row-cache.ts'
import { rowHeight } from './row-height.ts'
import {
  filter,
  follow,
  isFollowing,
  noFilter,
  openTrace,
  panel,
  pause,
  select,
  selected,
  selectedIndex,
  setFilter,
  showsHelp,
  timeStyle,
  view,
} from './state.ts'
import { levelClasses } from './levels.ts'

/** A key, what it does, and how the help describes it. */
interface KeyBinding {
  readonly keys: readonly string[]
  readonly help: string
  run(): void
}

/** Everything that the keyboard does, in the order of the help. */
export const keyBindings: readonly KeyBinding[] = [
  { keys: ['/'], help: 'write a query', run: () => document.getElementById('query')?.focus() },
  { keys: ['j', 'ArrowDown'], help: 'next record', run: () => moveBy(1) },
  { keys: ['k', 'ArrowUp'], help: 'previous record', run: () => moveBy(-1) },
  { keys: ['PageDown'], help: 'next page', run: () => moveBy(pageRows()) },
  { keys: ['PageUp'], help: 'previous page', run: () => moveBy(-pageRows()) },
  { keys: ['g', 'Home'], help: 'first record', run: () => moveTo(0) },
  { keys: ['G', 'End'], help: 'last record', run: () => moveTo(view.value.rows - 1) },
  { keys: ['n'], help: 'next error', run: () => void moveToError(1) },
  { keys: ['N'], help: 'previous error', run: () => void moveToError(-1) },
  { keys: [' '], help: 'follow new records, or stop', run: () => (isFollowing.value ? pause() : follow()) },
  { keys: ['Enter'], help: 'show the trace of the record', run: showTrace },
  { keys: ['e'], help: 'only errors, or all levels', run: toggleErrors },
  { keys: ['m'], help: 'group by template, or show records', run: togglePanel },
  { keys: ['t'], help: 'absolute, relative or delta times', run: nextTimeStyle },
  { keys: ['x'], help: 'remove all conditions', run: () => setFilter(noFilter) },
  { keys: ['?'], help: 'show this help', run: () => (showsHelp.value = !showsHelp.value) },
  { keys: ['Escape'], help: 'close what is open', run: close },
]

/** Handles the keys of the page, except while text is written. */
export function useKeyboard(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
    const binding = keyBindings.find(({ keys }) => keys.includes(event.key))
    if (binding === undefined) return
    // Enter and Space press the button that has the focus.
    if ((event.key === 'Enter' || event.key === ' ') && event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    binding.run()
  })
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement
}

function pageRows(): number {
  return Math.max(1, Math.floor((document.getElementById('records')?.clientHeight ?? 0) / rowHeight) - 2)
}

function moveBy(rows: number): void {
  const from = selectedIndex.value >= 0 ? selectedIndex.value : view.value.rows
  moveTo(Math.min(view.value.rows - 1, Math.max(0, from + rows)))
}

function moveTo(index: number): void {
  if (index < 0) return
  pause()
  const row = rowCache.get(index)
  selectedIndex.value = index
  if (row === undefined) void selectLater(index)
  else select(row, index)
}

async function selectLater(index: number): Promise<void> {
  await rowCache.load(index, index + 1, view.value.rows)
  if (selectedIndex.value === index) select(rowCache.get(index), index)
}

const errorSeverity = 17
const searchRows = 2_000

/** Selects the next record of the level error or above, among some thousands of records. */
async function moveToError(direction: 1 | -1): Promise<void> {
  const total = view.value.rows
  const start = selectedIndex.value >= 0 ? selectedIndex.value : direction > 0 ? -1 : total
  for (let index = start + direction; index >= 0 && index < total; index += direction) {
    if (Math.abs(index - start) > searchRows) return
    if (rowCache.get(index) === undefined) await rowCache.load(index, index + 1, total)
    if ((rowCache.get(index)?.severity ?? 0) >= errorSeverity) return moveTo(index)
  }
}

function showTrace(): void {
  const row = rowCache.get(selectedIndex.value)
  if (row !== undefined && row.trace !== '') openTrace.value = row.trace
}

function toggleErrors(): void {
  const isOn = filter.value.levels.length > 0
  setFilter({ levels: isOn ? [] : levelClasses.slice(levelClasses.indexOf('error')) })
}

function togglePanel(): void {
  panel.value = panel.value === 'records' ? 'templates' : 'records'
}

function nextTimeStyle(): void {
  timeStyle.value = timeStyle.value === 'absolute' ? 'relative' : timeStyle.value === 'relative' ? 'delta' : 'absolute'
}

function close(): void {
  if (showsHelp.value) showsHelp.value = false
  else if (openTrace.value !== undefined) openTrace.value = undefined
  else if (selected.value !== undefined) select(undefined, -1)
}
