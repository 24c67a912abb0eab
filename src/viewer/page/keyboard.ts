import { copyText, show } from './copy-text.ts'
import { closeDetail } from './detail.tsx'
import { levelClasses } from './levels.ts'
import { moveBy, moveByPage, moveTo, moveToError } from './list-moves.ts'
import { recordText } from './record-text.ts'
import { rowCache } from './row-cache.ts'
import { fetchRecord, problemOf } from './server.ts'
import {
  filter,
  follow,
  isFollowing,
  noFilter,
  openTrace,
  panel,
  pause,
  selected,
  selectedIndex,
  setFilter,
  showsHelp,
  timeStyle,
  view,
} from './state.ts'
import { moveTimes, zoomTimes } from './time-range.ts'

/** A key, what it does, and how the help describes it. */
interface KeyBinding {
  readonly keys: readonly string[]
  readonly help: string
  /** Whether the key is for the list of records only. */
  readonly isForList?: boolean
  run(): void
}

/** Everything that the keyboard does, in the order of the help. */
export const keyBindings: readonly KeyBinding[] = [
  { keys: ['/'], help: 'write a query', run: () => document.getElementById('query')?.focus() },
  { keys: ['j', 'ArrowDown'], help: 'next record', isForList: true, run: () => moveBy(1) },
  { keys: ['k', 'ArrowUp'], help: 'previous record', isForList: true, run: () => moveBy(-1) },
  { keys: ['PageDown'], help: 'next page', isForList: true, run: () => moveByPage(1) },
  { keys: ['PageUp'], help: 'previous page', isForList: true, run: () => moveByPage(-1) },
  { keys: ['g', 'Home'], help: 'first record', isForList: true, run: () => moveTo(0) },
  { keys: ['G', 'End'], help: 'last record', isForList: true, run: () => moveTo(view.value.rows - 1) },
  { keys: ['n'], help: 'next error', isForList: true, run: () => void moveToError(1) },
  { keys: ['N'], help: 'previous error', isForList: true, run: () => void moveToError(-1) },
  { keys: [' '], help: 'follow new records, or stop', run: () => (isFollowing.value ? pause() : follow()) },
  { keys: ['Enter'], help: 'show the trace of the record', run: () => void showTrace() },
  { keys: ['c'], help: 'copy the record', run: () => void copyRecord() },
  { keys: ['e'], help: 'only errors, or all levels', run: toggleErrors },
  { keys: ['m'], help: 'group by template, or show records', run: togglePanel },
  { keys: ['t'], help: 'absolute, relative or delta times', run: nextTimeStyle },
  { keys: ['+'], help: 'zoom in', run: () => zoomTimes(1 / 2) },
  { keys: ['-'], help: 'zoom out', run: () => zoomTimes(2) },
  { keys: ['ArrowLeft'], help: 'earlier', run: () => moveTimes(-1 / 2) },
  { keys: ['ArrowRight'], help: 'later', run: () => moveTimes(1 / 2) },
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
    if (binding.isForList === true && panel.value !== 'records') return
    if (scrollKeys.has(event.key) && isInRecord(event.target)) return
    if ((event.key === 'Enter' || event.key === ' ') && isPressed(event.target)) return
    if (isDialogOpen() && event.key !== 'Escape' && !(event.key === '?' && showsHelp.value)) return
    event.preventDefault()
    binding.run()
  })
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement
}

/** The keys that scroll an element that has the focus. */
const scrollKeys: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', ' '])

/** Returns whether the focus is in the panel of the selected record, which is scrolled by itself. */
function isInRecord(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.record-panel') !== null
}

/** Returns whether Enter and Space press the element that has the focus. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, summary, a') !== null
}

function isDialogOpen(): boolean {
  return showsHelp.value || openTrace.value !== undefined
}

async function showTrace(): Promise<void> {
  const seq = selected.value
  if (seq === undefined) return
  // A record that the view does not contain is not among its rows.
  const trace = rowCache.get(selectedIndex.value)?.trace ?? (await fetchRecord(seq).catch(() => undefined))?.trace
  if (selected.value !== seq) return
  if (typeof trace === 'string' && trace !== '') openTrace.value = trace
  else show('The record has no trace')
}

async function copyRecord(): Promise<void> {
  if (selected.value === undefined) return
  const record = await fetchRecord(selected.value).catch((error: unknown) => problemOf(error))
  if (typeof record === 'string') show(`The record was not copied: ${record}`)
  else await copyText(recordText(record))
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
  const menu = document.querySelector<HTMLDetailsElement>('details.menu[open]')
  if (showsHelp.value) showsHelp.value = false
  else if (openTrace.value !== undefined) openTrace.value = undefined
  else if (menu !== null) {
    menu.open = false
    menu.querySelector('summary')!.focus()
  } else if (selected.value !== undefined) closeDetail()
}
