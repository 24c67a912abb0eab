import { hostname as hostnameOf } from 'node:os'
import { quote } from '../../encode/json/quote.ts'
import { needsRedaction } from '../shared/hidden-secrets.ts'
import type { JsonWriter } from '../shared/json-text.ts'
import { uniqueRedactedNames } from '../shared/member-names.ts'
import { unusedName } from '../shared/unused-name.ts'
import type { ParsedCall } from './record.ts'
import type { Level } from './types.ts'

/** The members that the logger sets in a record, except the host name and process ID, which are constant. */
export interface RecordHead {
  /** Milliseconds since the Unix epoch, or ISO text. */
  readonly time: number | string
  readonly level: Level
  /** Name of the logger. */
  readonly name: string
}

const hostname = hostnameOf()
const { pid } = process
/** The text between the values of the time and the level. */
const processMembers = `,"hostname":${quote(hostname)},"pid":${pid},"level":"`
/** Names of members that each line has. Fields of a call cannot use them. */
const reservedNames: ReadonlySet<string> = new Set(['time', 'hostname', 'pid', 'level', 'name'])
const reservedNamesWithMessage: ReadonlySet<string> = new Set([...reservedNames, 'message'])

/** Formats a record as a line. Never throws. */
export function lineOf({ time, level, name }: RecordHead, { fields, message }: ParsedCall, json: JsonWriter): string {
  const timeText = typeof time === 'number' ? String(time) : `"${time}"`
  let text = `{"time":${timeText}${processMembers}${level}","name":${json.memberJson(name, 'name') ?? 'null'}`
  const namesInUse = message === undefined ? reservedNames : reservedNamesWithMessage
  if (message !== undefined) text += memberText('message', 'message', message, json)
  const reservedKeys: string[] = []
  const keys = Object.keys(fields)
  const names = uniqueRedactedNames(keys, json.redaction?.patterns, namesInUse)
  for (const [index, key] of keys.entries()) {
    // Each name appears once in a line, so fields with these names are nested in another member.
    if (namesInUse.has(key)) reservedKeys.push(key)
    else text += memberText(key, names[index]!, fields[key], json)
  }
  return reservedKeys.length === 0 ? `${text}}\n` : `${text}${nestedText(fields, names, reservedKeys, json)}}\n`
}

/** Returns a record as an object, for a stream in object mode. If a rule redacts anything, the object is parsed from the line. */
export function objectOf(head: RecordHead, call: ParsedCall, json: JsonWriter): object {
  if (json.redaction !== undefined) {
    const line = lineOf(head, call, json)
    if (needsRedaction(call.fields, line, json)) return JSON.parse(line) as object
  }
  const { time, level, name } = head
  const headMembers = { time, hostname, pid, level, name }
  // Spread twice: the first sets the order of the members, the second overrides fields with the same names.
  return {
    ...headMembers,
    ...call.fields,
    ...headMembers,
    ...(call.message === undefined ? {} : { message: call.message }),
  }
}

/**
 * Returns a member with a leading comma; an empty string if its value has no JSON.
 *
 * @param key - key to which redaction rules apply
 * @param name - the name in the line, which differs from the key if a pattern redacts the key
 */
function memberText(key: string, name: string, value: unknown, json: JsonWriter): string {
  const part = json.memberJson(value, key)
  return part === undefined ? '' : `,${quote(name)}:${part}`
}

/**
 * Returns a member, with a leading comma, that contains the fields with reserved names; an empty string if none has JSON. The redaction
 * rules for their paths in the call and in the line both apply.
 */
function nestedText(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  keys: readonly string[],
  json: JsonWriter,
): string {
  const members = keys.map((key) => memberText(key, key, fields[key], json)).join('')
  const name = unusedName('attributes', (other) => names.includes(other))
  const object = `{${members.slice(1)}}`
  const state = json.stateAt(name)
  if (members === '') return ''
  return state.hasNoRules || state.hasOnlyHeaderRule
    ? `,${quote(name)}:${object}`
    : memberText(name, name, JSON.parse(object), json)
}
