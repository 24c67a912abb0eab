import { batch, effect } from '@preact/signals'
import { applyState } from './apply-state.ts'
import { errorIn, parametersOf } from './server.ts'
import type { RowBlock, ViewState } from './server-types.ts'
import { listScroll } from './list-scroll.ts'
import { connectionProblem, filter, isConnected, isFollowing, queryProblem, useViewer, view } from './state.ts'

const retryMillis = 1_000
/** A browser opens six connections to a viewer. So many pages can keep one, even those that are not seen. */
const maxOpenPages = 4

/** The connection whose view is shown. */
let shown: AbortController | undefined
/** The connection for the current filter, until it is shown. */
let next: AbortController | undefined
let parameters = new URLSearchParams()

/** Keeps a view of the current filter open. Its state arrives while it changes. */
export function connect(): void {
  effect(() => {
    parameters = parametersOf(filter.value)
    open()
  })
  effect(() => leaveConnections(view.value.pages))
  document.addEventListener('visibilitychange', () => {
    leaveConnections(view.value.pages)
    if (!document.hidden && shown === undefined && next === undefined) open()
  })
}

function open(): void {
  next?.abort()
  next = new AbortController()
  const newest = isFollowing.peek() ? listScroll.windowRows : 0
  void keepOpen(new URLSearchParams([...parameters, ['newest', String(newest)]]), next)
}

/** Closes the connection of a page that is not seen, if others need it. */
function leaveConnections(pages: number): void {
  if (pages <= maxOpenPages || !document.hidden) return
  shown?.abort()
  next?.abort()
  shown = undefined
  next = undefined
}

async function keepOpen(filterParameters: URLSearchParams, connection: AbortController): Promise<void> {
  const { signal } = connection
  while (!signal.aborted) {
    let problem: string | undefined
    try {
      const response = await fetch(`/api/live?${filterParameters}`, { signal })
      if (response.status === 400) {
        // The view of the last valid filter stays open.
        const { message, position } = await errorIn(response)
        queryProblem.value = { message, position }
        return
      }
      showOnly(connection)
      if (!response.ok) problem = (await errorIn(response)).message
      else if (response.body !== null) {
        queryProblem.value = undefined
        // The same query would fail again.
        if (await readEvents(response.body, signal)) return
      }
    } catch {
      // The server was stopped, or the filter changed.
    }
    if (signal.aborted) return
    batch(() => {
      isConnected.value = false
      connectionProblem.value = problem
    })
    await new Promise((resolve) => setTimeout(resolve, retryMillis))
  }
}

/** Closes the connection that was shown before. */
function showOnly(connection: AbortController): void {
  if (shown === connection) return
  shown?.abort()
  shown = connection
  if (next === connection) next = undefined
}

/** Reads the events of a connection. Returns whether the view has failed. */
async function readEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<boolean> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  let id = 0
  // The newest rows come before their state, which can be in another part.
  let newest: string | undefined
  for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
    text += part.value
    let state: string | undefined
    for (let end = text.indexOf('\n\n'); end >= 0 && !signal.aborted; end = text.indexOf('\n\n')) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (name === 'viewer') useViewer(data!)
      else if (name === 'view') id = Number(data)
      else if (name === 'newest') newest = data
      else if (name === 'state') state = data
      else if (name === 'failure') {
        queryProblem.value = { message: (JSON.parse(data!) as { message: string }).message, position: undefined }
        return true
      }
    }
    if (state === undefined || signal.aborted) continue
    // The last state of several is enough.
    const rows = newest === undefined ? undefined : (JSON.parse(newest) as RowBlock)
    newest = undefined
    showState(id, JSON.parse(state) as ViewState, rows)
  }
  return false
}

function showState(id: number, state: ViewState, newest: RowBlock | undefined): void {
  batch(() => {
    isConnected.value = true
    connectionProblem.value = undefined
    applyState({ id, state, newest })
  })
}
