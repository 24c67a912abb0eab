import { member, ownCopy } from '../../options/own-members.ts'
import type { LogRecord } from '../../record/record.ts'
import { isByte } from '../../redact/bytes.ts'
import { isError } from '../../values/is-error.ts'
import { placeholders } from './formats/splat.ts'
import { SPLAT, TEMPLATE, textOf, type Template, type TransformableInfo } from './info.ts'
import { assignRead, readMember } from './safe-info.ts'

/**
 * Says in a record what an info says: its message as it was before it was put into a line, its members as attributes, its time,
 * and its Error as the exception, wherever winston has left it.
 *
 * @param redacts - whether there are rules: then they see values before `format.splat()` has cut them, and lists of bytes whose numbers
 *   winston has made members
 */
export function fillRecord(record: LogRecord, info: TransformableInfo, redacts = false): void {
  const members: Record<string, unknown> = ownCopy({})
  assignRead(members, info)
  const { level: _, message: given, timestamp, ...others } = members
  const attributes = ownCopy(others)
  // An Error that was logged by itself has a message that is not enumerated.
  const message = Object.hasOwn(members, 'message') ? given : readMember(info, 'message')
  const time = timeOf(timestamp)
  if (time === undefined && timestamp !== undefined) attributes['timestamp'] = timestamp
  if (time !== undefined) record.time = time
  const splat = splatOf(info)
  const error = errorIn(info, message, splat)
  const template = redacts ? (info[TEMPLATE] as Template | undefined) : undefined
  const isFilled = template !== undefined && template.filled === message
  record.body = isFilled ? template.message : message
  record.literal = true
  if (error !== undefined) setException(record, error, message, attributes)
  const wanted = isFilled ? 0 : placeholders(record.body)
  if (isFilled) record.args = template.args
  if (wanted > 0) record.args = splat.slice(0, wanted)
  const rest = wanted > 0 ? splat.slice(wanted) : isFilled ? [] : unsaid(splat, members, textOf(record.body))
  // What format.splat() would have done with it.
  if (wanted > 0) for (const meta of rest) if (!isError(meta)) assignRead(attributes, meta)
  if (redacts) collectBytes(attributes)
  const extra = wanted > 0 ? rest.filter((item) => typeof item !== 'object' || item === null) : rest
  if (extra.length > 0) record.extra = extra
  record.attributes = attributes
}

/** Makes a list again of bytes whose numbers winston has made members, `{"0":112,"1":97}`. */
function collectBytes(attributes: Record<string, unknown>): void {
  const bytes: unknown[] = []
  for (let index = 0; isByte(attributes[index]); index++) bytes.push(attributes[index])
  if (bytes.length === 0) return
  for (const index of bytes.keys()) delete attributes[index]
  attributes['value'] = Object.hasOwn(attributes, 'value') ? [bytes, attributes['value']] : bytes
}

function splatOf(info: TransformableInfo): readonly unknown[] {
  const splat = readMember(info, SPLAT)
  return Array.isArray(splat) ? (splat as unknown[]) : []
}

/** Where winston leaves an Error: the info itself, its message, what was given with it, or what nobody caught. */
function errorIn(info: TransformableInfo, message: unknown, [meta]: readonly unknown[]): object | undefined {
  for (const candidate of [info, message, meta]) if (isError(candidate)) return candidate
  const error = member(info, 'error')
  const isUncaught = member(info, 'exception') === true || member(info, 'rejection') === true
  if (isUncaught && isError(error)) return error
  const stack = member(info, 'stack')
  return typeof stack === 'string' ? errorOfStack(stack, textOf(message)) : undefined
}

function setException(record: LogRecord, error: object, message: unknown, attributes: Record<string, unknown>): void {
  record.exception = error
  const own = readMember(error, 'message')
  if (message === error) record.body = own
  else if (typeof message === 'string' && typeof own === 'string' && own !== '' && message.endsWith(` ${own}`)) {
    // winston has put it behind what was said.
    record.body = message.slice(0, -own.length - 1)
  }
  // These stand in the exception.
  for (const key of ['stack', 'cause', 'error']) {
    const own = member(attributes, key)
    if (key !== 'error' ? own === readMember(error, key) : own === error) delete attributes[key]
  }
}

function hidden(value: string): PropertyDescriptor {
  return { __proto__: null, value, enumerable: false } as PropertyDescriptor
}

/** All that a format has left of an Error. */
function errorOfStack(stack: string, message: string): object {
  const name = /^(\w*(?:Error|Exception))\b/.exec(stack)?.[1] ?? 'Error'
  const members = { name: hidden(name), message: hidden(message), stack: hidden(stack) }
  return Object.create(Error.prototype, members) as object
}

/** What a call was given and winston writes nowhere. What stands in the message or among the members has been said. */
function unsaid(splat: readonly unknown[], members: Record<string, unknown>, message: string): readonly unknown[] {
  return splat.filter((item, index) => {
    if (isError(item)) return index > 0
    if (typeof item !== 'object' || item === null) return !message.includes(textOf(item))
    return index > 0 && !Object.keys(item).every((key) => Object.hasOwn(members, key))
  })
}

/** A time as winston's formats write it, in ms since the epoch; undefined where it is none. */
function timeOf(timestamp: unknown): number | undefined {
  try {
    if (timestamp instanceof Date) return valid(Date.prototype.getTime.call(timestamp))
    if (typeof timestamp === 'number') return valid(timestamp)
    // Other patterns do not say in which zone they are.
    if (typeof timestamp !== 'string' || !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(timestamp)) return undefined
    return valid(Date.parse(timestamp))
  } catch {
    return undefined
  }
}

function valid(time: number): number | undefined {
  return Math.abs(time) <= 8.64e15 ? time : undefined
}
