import { hostname as hostnameOf } from 'node:os'
import { quote } from '../../encode/quote.ts'
import type { JsonText } from '../json-text.ts'
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

/** A record as a line. Never throws. */
export function lineOf({ time, level, name }: Head, { fields, message }: Said, json: JsonText): string {
  const when = typeof time === 'number' ? String(time) : `"${time}"`
  let text = `{"time":${when}${middle}${level}","name":${json.member(name, 'name') ?? 'null'}`
  if (message !== undefined) text += memberText('message', message, json)
  const strays: string[] = []
  for (const key of Object.keys(fields)) {
    // A line has each name once.
    if (core.has(key) || (key === 'message' && message !== undefined)) strays.push(key)
    else text += memberText(key, fields[key], json)
  }
  return strays.length === 0 ? `${text}}\n` : `${text}${movedText(fields, strays, json)}}\n`
}

/** A record as an object, for a stream in object mode. */
export function objectOf(head: Head, said: Said, json: JsonText): object {
  if (json.redaction !== undefined) {
    const line = lineOf(head, said, json)
    if (!json.isPlain || (json.holdsSecrets(line) && line.includes('[REDACTED]'))) return JSON.parse(line) as object
  }
  const { time, level, name } = head
  const own = { time, hostname, pid, level, name }
  return { ...own, ...said.fields, ...own, ...(said.message === undefined ? {} : { message: said.message }) }
}

function memberText(key: string, value: unknown, json: JsonText): string {
  const part = json.member(value, key)
  return part === undefined ? '' : `,${quote(json.clean(key))}:${part}`
}

/** Fields with a name of the record's own, below another name. Rules for either place hold. */
function movedText(fields: Readonly<Record<string, unknown>>, keys: readonly string[], json: JsonText): string {
  const members = keys.map((key) => memberText(key, fields[key], json)).join('')
  const name = strayName(fields)
  const object = `{${members.slice(1)}}`
  const state = json.stateAt(name)
  if (members === '') return ''
  return state.inert || state.findsHeadersOnly
    ? `,${quote(name)}:${object}`
    : memberText(name, JSON.parse(object), json)
}

function strayName(fields: object): string {
  let name = 'attributes'
  while (Object.hasOwn(fields, name)) name = `_${name}`
  return name
}
