import { batch, effect } from '@preact/signals'
import { applyState } from './apply-state.ts'
import { parametersOf } from './server.ts'
import type { ViewState } from './server-types.ts'
import { filter, isConnected, queryProblem } from './state.ts'

/** Keeps a view of the current filter open. Its state arrives while it changes. */
export function connect(): void {
  let abort = new AbortController()
  effect(() => {
    const parameters = parametersOf(filter.value)
    abort.abort()
    abort = new AbortController()
    void keepOpen(parameters, abort.signal)
  })
}

const retryMillis = 1_000

async function keepOpen(parameters: URLSearchParams, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await fetch(`/api/live?${parameters}`, { signal })
      if (response.status === 400) {
        const { error, position } = (await response.json()) as { error: string; position?: number }
        queryProblem.value = { message: error, position }
        return
      }
      if (response.ok && response.body !== null) {
        queryProblem.value = undefined
        await readEvents(response.body, signal)
      }
    } catch {
      // The server was stopped, or the filter changed.
    }
    if (signal.aborted) return
    isConnected.value = false
    await new Promise((resolve) => setTimeout(resolve, retryMillis))
  }
}

async function readEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  let view = 0
  for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
    text += part.value
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      view = handleEvent(text.slice(0, end), view)
      text = text.slice(end + 2)
    }
  }
}

/** Handles an event of a view. Returns the number of the view. */
function handleEvent(text: string, view: number): number {
  const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? []
  if (name === undefined || data === undefined) return view
  if (name === 'view') return Number(data)
  batch(() => {
    isConnected.value = true
    if (name === 'state') applyState(view, JSON.parse(data) as ViewState)
    else if (name === 'failure') {
      queryProblem.value = { message: (JSON.parse(data) as { message: string }).message, position: undefined }
    }
  })
  return view
}
