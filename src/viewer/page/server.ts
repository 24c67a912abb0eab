import { batch, effect } from '@preact/signals'
import type { Filter } from './state.ts'
import { filter, isConnected, queryProblem, view, viewId } from './state.ts'
import type { FullRecord, Histogram, KeyInfo, Row, TemplateGroup, Trace, ViewState } from './server-types.ts'

/** Returns a filter as the parameters of a request. */
export function parametersOf({ query, levels, services, trace, template, from, until }: Filter): URLSearchParams {
  const parameters = new URLSearchParams()
  if (query.trim() !== '') parameters.set('q', query.trim())
  for (const level of levels) parameters.append('level', level)
  for (const service of services) parameters.append('service', service)
  if (trace !== '') parameters.set('trace', trace)
  for (const [name, value] of Object.entries({ template, from, until }))
    if (value !== undefined) parameters.set(name, String(value))
  return parameters
}

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
  for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
    text += part.value
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      handleEvent(text.slice(0, end))
      text = text.slice(end + 2)
    }
  }
}

function handleEvent(text: string): void {
  const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? []
  if (name === undefined || data === undefined) return
  batch(() => {
    isConnected.value = true
    if (name === 'view') viewId.value = Number(data)
    else if (name === 'state') view.value = JSON.parse(data) as ViewState
    else if (name === 'failure') {
      queryProblem.value = { message: (JSON.parse(data) as { message: string }).message, position: undefined }
    }
  })
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`/api/${path}`)
  if (!response.ok) throw new Error(`${response.status}`)
  return (await response.json()) as T
}

export const fetchRows = async (id: number, from: number, count: number): Promise<{ readonly rows: readonly Row[] }> =>
  get(`rows?view=${id}&from=${from}&count=${count}`)
export const fetchRecord = async (seq: number): Promise<FullRecord> => get(`records/${seq}`)
export const fetchTrace = async (id: string): Promise<Trace> => get(`traces/${id}`)
export const fetchTemplates = async (id: number): Promise<readonly TemplateGroup[]> => get(`templates?view=${id}`)
export const fetchHistogram = async (id: number, intervals: number): Promise<Histogram> =>
  get(`histogram?view=${id}&intervals=${intervals}`)
export const fetchKeys = async (): Promise<readonly KeyInfo[]> => get('keys')

/** Returns the address of the records of the view in a format. */
export function exportAddress(format: string, isRedacted: boolean): string {
  const parameters = parametersOf(filter.value)
  parameters.set('format', format)
  if (isRedacted) parameters.set('redact', 'credentials,jwt,card,email')
  return `/api/export?${parameters}`
}
