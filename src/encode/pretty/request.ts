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
  let summary = ''
  for (const value of [method, path, status]) {
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const word = String(value)
    if (word !== '' && indexOfWord(message, word) < 0) summary += summary === '' ? word : ` ${word}`
  }
  if (typeof duration === 'number' && !containsDuration.test(message))
    summary += (summary === '' ? '' : ' ') + durationText(duration)
  return summary === '' ? undefined : escapeForTerminal(summary)
}

const containsDuration = /(?:^| )[\d.,]+ ?(?:ms|s|µs)(?: |$)/

/** Returns the index of a word that has spaces or the ends of the text around it; -1 without one. */
function indexOfWord(text: string, word: string): number {
  const { length } = word
  for (let index = text.indexOf(word); index >= 0; index = text.indexOf(word, index + 1)) {
    const end = index + length
    const isStart = index === 0 || text.charCodeAt(index - 1) === space
    if (isStart && (end === text.length || text.charCodeAt(end) === space)) return index
  }
  return -1
}

const space = 32

/**
 * Colors the first word of a text that is the status of a response: green below 300, cyan for redirects, yellow for client errors and red
 * from 500.
 */
export function paintStatus(text: string, status: AnyValue | undefined, paint: Paint): string {
  if (typeof status !== 'number' || !(status >= 100 && status <= 999)) return text
  const word = String(status)
  const index = indexOfWord(text, word)
  return index < 0 ? text : text.slice(0, index) + paint(statusColor(status), word) + text.slice(index + word.length)
}

/** Returns the color of the status of a response. */
export function statusColor(status: number): string {
  return status >= 500 ? sgr.redBold : status >= 400 ? sgr.yellow : status >= 300 ? sgr.cyan : sgr.green
}
