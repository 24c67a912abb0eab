import type { AnyValue } from '../../record/any-value.ts'
import { durationText } from '../template/duration-text.ts'
import { sgr, type Paint } from './colors.ts'
import { escapeForTerminal } from './visible.ts'

/** Reads an attribute by its name. */
type ReadAttribute = (name: string) => AnyValue | undefined

/** The attributes that `requestSummary` shows in a short form. */
export const requestFieldNames: ReadonlySet<string> = new Set([
  'http.request.method',
  'url.path',
  'http.route',
  'http.response.status_code',
  'http.server.request.duration',
])

/** Attributes that are the same for most requests to one server during development. */
const detailNames = new Set([
  'url.scheme',
  'server.address',
  'server.port',
  'client.address',
  'user_agent.original',
  'network.protocol.name',
  'network.protocol.version',
])

/** Returns whether an attribute is a detail of a request. */
export function isRequestDetail(name: string): boolean {
  return detailNames.has(name)
}

/**
 * Returns what a message does not already contain of the method, the path, the status and the duration of a request, such as
 * `POST /orders 201 14ms`; undefined if that is nothing or the record has no request.
 */
export function requestSummary(read: ReadAttribute, message: string): string | undefined {
  const method = read('http.request.method')
  if (typeof method !== 'string') return undefined
  const path = read('url.path') ?? read('http.route')
  const status = read('http.response.status_code')
  const duration = read('http.server.request.duration')
  const words = new Set(message.split(' '))
  const parts: string[] = []
  const add = (value: AnyValue | undefined) => {
    if ((typeof value === 'string' || typeof value === 'number') && !words.has(String(value))) parts.push(String(value))
  }
  add(method)
  add(path)
  add(status)
  if (typeof duration === 'number' && !/(?:^| )[\d.,]+ ?(?:ms|s|µs)(?: |$)/.test(message))
    parts.push(durationText(duration))
  return parts.length === 0 ? undefined : escapeForTerminal(parts.join(' '))
}

/**
 * Colors the first word of a text that is the status of a response: green below 300, cyan for redirects, yellow for client errors and red
 * from 500.
 */
export function paintStatus(text: string, status: AnyValue | undefined, paint: Paint): string {
  if (typeof status !== 'number' || !(status >= 100 && status <= 999)) return text
  const code = status >= 500 ? sgr.redBold : status >= 400 ? sgr.yellow : status >= 300 ? sgr.cyan : sgr.green
  const painted = paint(code, String(status))
  return painted === String(status) ? text : text.replace(new RegExp(`(?<=^| )${status}(?= |$)`), painted)
}
