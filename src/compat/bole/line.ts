import { hostname as hostnameOf } from 'node:os'
import { quote } from '../../encode/json/quote.ts'
import { isRedacted } from '../shared/hidden-secrets.ts'
import type { JsonText } from '../shared/json-text.ts'
import { memberNames } from '../shared/member-names.ts'
import type { ParsedCall } from './record.ts'
import type { Level } from './types.ts'

/** The time of a record (in milliseconds or as ISO text), its level and the name of its logger. */
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

/** Formats a record as a line. Never throws. */
export function lineOf({ time, level, name }: Head, { fields, message }: ParsedCall, json: JsonText): string {
  const when = typeof time === 'number' ? String(time) : `"${time}"`
  let text = `{"time":${when}${middle}${level}","name":${json.member(name, 'name') ?? 'null'}`
  const taken = message === undefined ? core : coreAndMessage
  if (message !== undefined) text += memberText('message', 'message', message, json)
  const reserved: string[] = []
  const keys = Object.keys(fields)
  const names = memberNames(keys, json.redaction?.patterns, taken)
  for (const [index, key] of keys.entries()) {
    // Each name appears once in a line, so fields with reserved names are nested below.
    if (taken.has(key)) reserved.push(key)
    else text += memberText(key, names[index]!, fields[key], json)
  }
  return reserved.length === 0 ? `${text}}\n` : `${text}${nestedText(fields, names, reserved, json)}}\n`
}

/** Returns a record as an object, for a stream in object mode. */
export function objectOf(head: Head, call: ParsedCall, json: JsonText): object {
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

/** Nests fields with reserved names in a separate member. Redaction rules for either path apply. */
function nestedText(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  keys: readonly string[],
  json: JsonText,
): string {
  const members = keys.map((key) => memberText(key, key, fields[key], json)).join('')
  const name = unusedName(names)
  const object = `{${members.slice(1)}}`
  const state = json.stateAt(name)
  if (members === '') return ''
  return state.inert || state.findsHeadersOnly
    ? `,${quote(name)}:${object}`
    : memberText(name, name, JSON.parse(object), json)
}

function unusedName(names: readonly string[]): string {
  let name = 'attributes'
  while (names.includes(name)) name = `_${name}`
  return name
}
