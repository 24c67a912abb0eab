import { hostname as hostnameOf } from 'node:os'
import { quote } from '../../encode/json/quote.ts'
import { isRedacted } from '../shared/hidden-secrets.ts'
import type { JsonText } from '../shared/json-text.ts'
import { memberNames } from '../shared/member-names.ts'
import type { Said } from './record.ts'
import type { Level } from './types.ts'

/** Who says it, and when: in ms, or as ISO text. */
export interface Head {
  readonly time: number | string
  readonly level: Level
  readonly name: string
}

const hostname = hostnameOf()
const { pid } = process
const middle = `,"hostname":${quote(hostname)},"pid":${pid},"level":"`
const core: ReadonlySet<string> = new Set(['time', 'hostname', 'pid', 'level', 'name'])
const coreAndMessage: ReadonlySet<string> = new Set([...core, 'message'])

/** A record as a line. Never throws. */
export function lineOf({ time, level, name }: Head, { fields, message }: Said, json: JsonText): string {
  const when = typeof time === 'number' ? String(time) : `"${time}"`
  let text = `{"time":${when}${middle}${level}","name":${json.member(name, 'name') ?? 'null'}`
  const taken = message === undefined ? core : coreAndMessage
  if (message !== undefined) text += memberText('message', 'message', message, json)
  const strays: string[] = []
  const keys = Object.keys(fields)
  const names = memberNames(keys, json.redaction?.patterns, taken)
  for (const [index, key] of keys.entries()) {
    // A line has each name once.
    if (taken.has(key)) strays.push(key)
    else text += memberText(key, names[index]!, fields[key], json)
  }
  return strays.length === 0 ? `${text}}\n` : `${text}${movedText(fields, names, strays, json)}}\n`
}

/** A record as an object, for a stream in object mode. */
export function objectOf(head: Head, call: Said, json: JsonText): object {
  if (json.redaction !== undefined) {
    const line = lineOf(head, call, json)
    if (isRedacted(call.fields, line, json)) return JSON.parse(line) as object
  }
  const { time, level, name } = head
  const own = { time, hostname, pid, level, name }
  return { ...own, ...call.fields, ...own, ...(call.message === undefined ? {} : { message: call.message }) }
}

function memberText(key: string, name: string, value: unknown, json: JsonText): string {
  const part = json.member(value, key)
  return part === undefined ? '' : `,${quote(name)}:${part}`
}

/** Fields with a name of the record's own, below another name. Rules for either place hold. */
function movedText(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  keys: readonly string[],
  json: JsonText,
): string {
  const members = keys.map((key) => memberText(key, key, fields[key], json)).join('')
  const name = strayName(names)
  const object = `{${members.slice(1)}}`
  const state = json.stateAt(name)
  if (members === '') return ''
  return state.inert || state.findsHeadersOnly
    ? `,${quote(name)}:${object}`
    : memberText(name, name, JSON.parse(object), json)
}

function strayName(names: readonly string[]): string {
  let name = 'attributes'
  while (names.includes(name)) name = `_${name}`
  return name
}
