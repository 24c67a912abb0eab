import { member, ownCopy } from '../../options/own-members.ts'
import type { LogRecord } from '../../record/record.ts'
import { isByte } from '../../redact/bytes.ts'
import { isError } from '../../values/is-error.ts'
import { placeholders } from './formats/splat.ts'
import { SPLAT, TEMPLATE, textOf, type Template, type TransformableInfo } from './info.ts'
import { assignRead, readMember } from './safe-info.ts'

/**
 * Fills a record from an info: the message before it was formatted into a line, the members as attributes, the time, and the Error as the
 * exception, wherever winston put it.
 *
 * @param redacts - whether rules are applied to the record. In that case it gets the values before `format.splat()` truncated them, and
 *   lists of bytes whose numbers winston turned into members are restored
 */
export function fillFromInfo(record: LogRecord, info: TransformableInfo, redacts = false): void {
  const members: Record<string, unknown> = ownCopy({})
  assignRead(members, info)
  const { level: _, message: given, timestamp, ...others } = members
  const attributes = ownCopy(others)
  // The message of an Error that was logged by itself is not enumerable.
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
  const placeholderCount = isFilled ? 0 : placeholders(record.body)
  if (isFilled) record.args = template.args
  if (placeholderCount > 0) record.args = splat.slice(0, placeholderCount)
  const rest =
    placeholderCount > 0
      ? splat.slice(placeholderCount)
      : isFilled
        ? []
        : unusedArguments(splat, members, textOf(record.body))
  // Merge the objects as format.splat() would have done.
  if (placeholderCount > 0) for (const meta of rest) if (!isError(meta)) assignRead(attributes, meta)
  if (redacts) collectBytes(attributes)
  const extra = placeholderCount > 0 ? rest.filter((item) => typeof item !== 'object' || item === null) : rest
  if (extra.length > 0) record.extra = extra
  record.attributes = attributes
}

/** Restores a list of bytes whose numbers winston turned into members, such as `{"0":112,"1":97}`. */
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

/** Finds the Error of an info: the info itself, its message, the first argument, an uncaught error, or one with the info's stack. */
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
    // winston appends the error's message to the logged message.
    record.body = message.slice(0, -own.length - 1)
  }
  // The exception already contains these.
  for (const key of ['stack', 'cause', 'error']) {
    const own = member(attributes, key)
    if (key !== 'error' ? own === readMember(error, key) : own === error) delete attributes[key]
  }
}

function hiddenProperty(value: string): PropertyDescriptor {
  return { __proto__: null, value, enumerable: false } as PropertyDescriptor
}

/** Creates an Error from a stack, if a format kept nothing else. */
function errorOfStack(stack: string, message: string): object {
  const name = /^(\w*(?:Error|Exception))\b/.exec(stack)?.[1] ?? 'Error'
  const members = { name: hiddenProperty(name), message: hiddenProperty(message), stack: hiddenProperty(stack) }
  return Object.create(Error.prototype, members) as object
}

/** Returns the arguments that neither the message nor the members contain. */
function unusedArguments(
  splat: readonly unknown[],
  members: Record<string, unknown>,
  message: string,
): readonly unknown[] {
  return splat.filter((item, index) => {
    if (isError(item)) return index > 0
    if (typeof item !== 'object' || item === null) return !message.includes(textOf(item))
    return index > 0 && !Object.keys(item).every((key) => Object.hasOwn(members, key))
  })
}

/** Returns a timestamp of winston's formats in milliseconds since the epoch; undefined if it is not a valid time. */
function timeOf(timestamp: unknown): number | undefined {
  try {
    if (timestamp instanceof Date) return valid(Date.prototype.getTime.call(timestamp))
    if (typeof timestamp === 'number') return valid(timestamp)
    // Other patterns do not specify a time zone.
    if (typeof timestamp !== 'string' || !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(timestamp)) return undefined
    return valid(Date.parse(timestamp))
  } catch {
    return undefined
  }
}

function valid(time: number): number | undefined {
  return Math.abs(time) <= 8.64e15 ? time : undefined
}
