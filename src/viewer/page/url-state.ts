import { effect } from '@preact/signals'
import { levelClasses, type LevelClass } from './levels.ts'
import { parametersOf } from './server.ts'
import {
  filter,
  noFilter,
  openTrace,
  panel,
  pause,
  revealsSelected,
  selected,
  timeStyle,
  viewerId,
  type Filter,
  type Panel,
  type TimeStyle,
} from './state.ts'

/** Reads the state from the address of the page, and keeps the address up to date, so that it can be shared and opened again. */
export function useAddress(): void {
  readAddress()
  addEventListener('popstate', readAddress)
  effect(() => {
    const parameters = parametersOf(filter.value)
    if (selected.value !== undefined) parameters.set('record', String(selected.value))
    if (openTrace.value !== undefined) parameters.set('open', openTrace.value)
    if (panel.value !== 'records') parameters.set('panel', panel.value)
    if (timeStyle.value !== 'absolute') parameters.set('time', timeStyle.value)
    // The numbers of records and templates are those of one run of the viewer.
    const hasNumbers = parameters.has('record') || parameters.has('template')
    if (hasNumbers && viewerId.value !== undefined) parameters.set('viewer', viewerId.value)
    const search = parameters.toString()
    const address = search === '' ? location.pathname : `?${search}`
    if (address !== location.search) history.replaceState(null, '', address)
  })
}

function readAddress(): void {
  const parameters = new URLSearchParams(location.search)
  filter.value = filterIn(parameters)
  selected.value = numberIn(parameters, 'record')
  if (selected.value !== undefined) {
    pause()
    revealsSelected.value = true
  }
  viewerId.value = parameters.get('viewer') ?? viewerId.value
  openTrace.value = parameters.get('open') ?? undefined
  const name = parameters.get('panel')
  panel.value = name === 'templates' || name === 'older' ? (name satisfies Panel) : 'records'
  const style = parameters.get('time')
  timeStyle.value = style === 'relative' || style === 'delta' ? (style satisfies TimeStyle) : 'absolute'
}

function filterIn(parameters: URLSearchParams): Filter {
  return {
    ...noFilter,
    query: parameters.get('q') ?? '',
    levels: parameters
      .getAll('level')
      .filter((level): level is LevelClass => levelClasses.includes(level as LevelClass)),
    services: parameters.getAll('service'),
    trace: parameters.get('trace') ?? '',
    template: numberIn(parameters, 'template'),
    from: numberIn(parameters, 'from'),
    until: numberIn(parameters, 'until'),
  }
}

function numberIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name)
  return text === null || text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)
}
