import { formatPath, formatValue } from '../../read/query/format-query.ts'
import { pathOfName } from './conditions.ts'
import type { KeyInfo } from './server-types.ts'

/** A text that can be inserted into the query. */
export interface Completion {
  readonly label: string
  readonly detail: string
  /** The part of the query that is replaced. */
  readonly start: number
  readonly end: number
  readonly insert: string
}

const fields: readonly (readonly [name: string, detail: string])[] = [
  ['level', 'trace to fatal'],
  ['message', 'text'],
  ['service', 'service.name'],
  ['scope', 'the logger'],
  ['time', 'such as -5m'],
  ['trace_id', ''],
  ['span_id', ''],
  ['event_name', ''],
  ['file', ''],
  ['container', ''],
  ['stream', 'stdout, stderr'],
]
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
const maxCompletions = 12

/** Returns the completions for the word before a position of the query. */
export function completionsAt(query: string, position: number, keys: readonly KeyInfo[]): Completion[] {
  const before = query.slice(0, position)
  const value = /([\w.@/-]+)\s*(?:>=|<=|!=|=|>|<)\s*("?)([^\s"()]*)$/.exec(before)
  if (value !== null)
    return valuesFor(value[1]!, value[3]!, position - value[3]!.length - value[2]!.length, position, keys)
  const word = /[\w.@/-]*$/.exec(before)![0]
  if (word === '' || isInText(before)) return []
  return namesFor(word, position - word.length, position, keys)
}

function namesFor(word: string, start: number, end: number, keys: readonly KeyInfo[]): Completion[] {
  const names: (readonly [string, string])[] = [
    ...fields,
    ...keys
      .map(({ key, count }) => [key, `${count}×`] as const)
      .filter(([key]) => fields.every(([name]) => name !== key)),
  ]
  const lower = word.toLowerCase()
  const rank = (name: string): number => (name.toLowerCase().startsWith(lower) ? 0 : 1)
  return names
    .filter(([name]) => name.toLowerCase().includes(lower) && name !== word)
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .slice(0, maxCompletions)
    .map(([label, detail]) => ({ label, detail, start, end, insert: formatPath(pathOfName(label)) }))
}

function valuesFor(key: string, typed: string, start: number, end: number, keys: readonly KeyInfo[]): Completion[] {
  const known = keys.find((each) => each.key === key)?.values ?? []
  const values = key === 'level' ? levels.map((level) => [level, 0] as const) : known
  const lower = typed.toLowerCase()
  return values
    .filter(([text]) => text.toLowerCase().startsWith(lower) && text !== typed)
    .slice(0, maxCompletions)
    .map(([text, count]) => ({
      label: text,
      detail: count > 0 ? `${count}×` : '',
      start,
      end,
      insert: formatValue(bareValueOf(text)),
    }))
}

function isInText(before: string): boolean {
  return (before.replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1
}

/** Returns a value as a number if it was one. The server sends all values as text. */
function bareValueOf(text: string): string | number {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(text) ? Number(text) : text
}
