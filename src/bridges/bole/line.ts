import { hostname as hostnameOf } from 'node:os'
import { quoteJson } from '../../encode/quote.ts'
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
const middle = `,"hostname":${quoteJson(hostname)},"pid":${pid},"level":"`
const core: ReadonlySet<string> = new Set(['time', 'hostname', 'pid', 'level', 'name'])

/** A record as a line. Never throws. */
export function lineOf({ time, level, name }: Head, { fields, message }: Said, json: JsonText): string {
  const when = typeof time === 'number' ? String(time) : `"${time}"`
  let text = `{"time":${when}${middle}${level}","name":${json.member(name, 'name') ?? 'null'}`
  if (message !== undefined) text += memberText('message', message, json)
  let strays = ''
  for (const key of Object.keys(fields)) {
    const part = memberText(key, fields[key], json)
    // It cannot be said a second time.
    if (core.has(key) || (key === 'message' && message !== undefined)) strays += part
    else text += part
  }
  return strays === '' ? `${text}}\n` : `${text},${quoteJson(strayName(fields))}:{${strays.slice(1)}}}\n`
}

/** A record as an object, for a stream in object mode. */
export function objectOf(head: Head, said: Said, json: JsonText): object {
  if (json.redaction !== undefined) return JSON.parse(lineOf(head, said, json)) as object
  const { time, level, name } = head
  const own = { time, hostname, pid, level, name }
  return { ...own, ...said.fields, ...own, ...(said.message === undefined ? {} : { message: said.message }) }
}

function memberText(key: string, value: unknown, json: JsonText): string {
  const part = json.member(value, key)
  return part === undefined ? '' : `,${quoteJson(json.clean(key))}:${part}`
}

function strayName(fields: object): string {
  let name = 'attributes'
  while (Object.hasOwn(fields, name)) name = `_${name}`
  return name
}
