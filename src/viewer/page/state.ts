import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { LevelClass } from './levels.ts'
import type { Row, ViewState } from './server-types.ts'

/** Which records are shown. */
export interface Filter {
  readonly query: string
  /** The classes of levels; empty for all. */
  readonly levels: readonly LevelClass[]
  /** The names of services; empty for all. */
  readonly services: readonly string[]
  readonly trace: string
  /** The number of a template. */
  readonly template: number | undefined
  /** Milliseconds since the Unix epoch. */
  readonly from: number | undefined
  readonly until: number | undefined
}

export type TimeStyle = 'absolute' | 'relative' | 'delta'
export type Panel = 'records' | 'templates' | 'older'

export const noFilter: Filter = {
  query: '',
  levels: [],
  services: [],
  trace: '',
  template: undefined,
  from: undefined,
  until: undefined,
}

const noView: ViewState = {
  rows: 0,
  added: 0,
  epoch: 0,
  stored: 0,
  removed: 0,
  duplicates: 0,
  untested: 0,
  levels: [],
  services: [],
  first: null,
  last: null,
  spans: 0,
  pages: 0,
  database: null,
}

export const filter: Signal<Filter> = signal(noFilter)
export const timeStyle: Signal<TimeStyle> = signal('absolute')
/** The time to which relative times refer, in ms since the Unix epoch. */
export const now: Signal<number> = signal(Date.now())
export const panel: Signal<Panel> = signal('records')
/** Whether the list shows new records at its end as they arrive. */
export const isFollowing: Signal<boolean> = signal(true)
/** The number of the view that the server keeps for this page; 0 before it is open. */
export const viewId: Signal<number> = signal(0)
/** The newest state of the view. */
export const view: Signal<ViewState> = signal(noView)
/** Whether the server answers; undefined before its first answer. */
export const isConnected: Signal<boolean | undefined> = signal(undefined)
/** Why the server refuses the connection; undefined if it accepts it, or does not answer. */
export const connectionProblem: Signal<string | undefined> = signal(undefined)
/** The run of the viewer to which the numbers of records and templates belong; undefined if it is unknown. */
export const viewerId: Signal<string | undefined> = signal(undefined)
/** What is wrong with the query, and where. */
export const queryProblem: Signal<{ readonly message: string; readonly position: number | undefined } | undefined> =
  signal(undefined)
/** The sequence number of the selected record. */
export const selected: Signal<number | undefined> = signal(undefined)
/** The position of the selected record in the view; -1 if it is unknown. */
export const selectedIndex: Signal<number> = signal(-1)
/** A trace that is shown as a whole. */
export const openTrace: Signal<string | undefined> = signal(undefined)
export const showsHelp: Signal<boolean> = signal(false)
/** The number of added rows when the list stopped to follow. */
export const addedAtPause: Signal<number> = signal(0)
/** Whether the list scrolls to the selected record as soon as its position is known. */
export const revealsSelected: Signal<boolean> = signal(false)

/** The number of records that arrived while the list did not follow. */
export const newRows: ReadonlySignal<number> = computed(() =>
  isFollowing.value ? 0 : Math.max(0, view.value.added - addedAtPause.value),
)

/** Whether any condition restricts the view. */
export const isFiltered: ReadonlySignal<boolean> = computed(() =>
  Object.entries(filter.value).some(([, value]) => value !== undefined && value.length !== 0),
)

/** Forgets the numbers of records and templates of another run of the viewer, which mean others now. */
export function useViewer(id: string): void {
  batch(() => {
    if (viewerId.value !== undefined && viewerId.value !== id) {
      select(undefined, -1)
      revealsSelected.value = false
      if (filter.value.template !== undefined) setFilter({ template: undefined })
    }
    viewerId.value = id
  })
}

/** Changes some conditions of the filter. */
export function setFilter(changes: Partial<Filter>): void {
  filter.value = { ...filter.value, ...changes }
}

export function select(row: Row | undefined, index: number): void {
  batch(() => {
    selected.value = row?.seq
    selectedIndex.value = row === undefined ? -1 : index
    if (row !== undefined) pause()
  })
}

export function pause(): void {
  if (!isFollowing.value) return
  batch(() => {
    addedAtPause.value = view.value.added
    isFollowing.value = false
  })
}

export function follow(): void {
  isFollowing.value = true
}

/** Adds a condition to the query. */
export function addToQuery(condition: string): void {
  const { query } = filter.value
  const isAlternative = /\bor\b|\|\|/i.test(query)
  const before = query.trim() === '' ? '' : isAlternative ? `(${query.trim()}) and ` : `${query.trim()} and `
  setFilter({ query: before + condition })
}
