import type {
  FullRecord,
  Histogram,
  KeyInfo,
  OlderRows,
  RowBlock,
  RowPosition,
  TemplateGroup,
  Trace,
} from './server-types.ts'
import { filter, type Filter } from './state.ts'

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

/** A response with an error. */
export class ServerError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Returns why a request failed, to be shown. */
export function problemOf(error: unknown): string {
  return error instanceof ServerError ? error.message : 'the viewer does not answer'
}

/** Returns the error that a response contains, and the position in the query that it is about. */
export async function errorIn(response: Response): Promise<{ readonly message: string; readonly position?: number }> {
  const { error, position } = (await response.json().catch(() => ({}))) as { error?: string; position?: number }
  const message = error ?? `the viewer answered with the status ${response.status}`
  return position === undefined ? { message } : { message, position }
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(`/api/${path}`, signal === undefined ? {} : { signal })
  if (!response.ok) throw new ServerError(response.status, (await errorIn(response)).message)
  return (await response.json()) as T
}

export const fetchRows = async (id: number, from: number, count: number): Promise<RowBlock> =>
  get(`rows?view=${id}&from=${from}&count=${count}`)
/** Returns where a record is in a view. */
export const fetchPosition = async (id: number, seq: number): Promise<RowPosition> =>
  get(`position?view=${id}&record=${seq}`)
/** Returns the position of the next error in a direction. */
export const fetchNextError = async (id: number, from: number, direction: 1 | -1): Promise<{ index: number | null }> =>
  get(`next-error?view=${id}&from=${from}&direction=${direction}`)
export const fetchRecord = async (seq: number): Promise<FullRecord> => get(`records/${seq}`)
export const fetchTrace = async (id: string): Promise<Trace> => get(`traces/${id}`)
export const fetchTemplates = async (id: number): Promise<readonly TemplateGroup[]> => get(`templates?view=${id}`)
export const fetchHistogram = async (id: number, intervals: number): Promise<Histogram> =>
  get(`histogram?view=${id}&intervals=${intervals}`)
export const fetchKeys = async (): Promise<readonly KeyInfo[]> => get('keys')

/** Searches the records that are only in the database. */
export const fetchOlder = async (parameters: URLSearchParams, signal: AbortSignal): Promise<OlderRows> =>
  get(`older?${parameters}`, signal)

/** Returns the address of the records of the view in a format. */
export function exportAddress(format: string, isRedacted: boolean): string {
  const parameters = parametersOf(filter.value)
  parameters.set('format', format)
  if (isRedacted) parameters.set('redact', 'credentials,jwt,card,email')
  return `/api/export?${parameters}`
}
