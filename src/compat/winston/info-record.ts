import { member, withoutPrototype } from '../../options/own-members.ts'
import type { LogRecord } from '../../record/record.ts'
import { isByte } from '../../redact/bytes.ts'
import { isError } from '../../values/is-error.ts'
import { countPlaceholders } from './formats/splat.ts'
import { SPLAT, FILLED_MESSAGE, textOf, type FilledMessage, type TransformableInfo } from './info.ts'
import { copyContent, memberOrThrownMarker } from './safe-info.ts'

/**
 * Fills a record from an info: the message before it was formatted into a line, the members as attributes, the time, and the Error as the
 * exception, wherever winston put it.
 *
 * @param hasCustomRules - whether the option `redact` is set. In that case the record gets the values before `format.splat()` truncated
 *   them, and lists of bytes whose numbers winston turned into members are restored
 */
export function fillFromInfo(record: LogRecord, info: TransformableInfo, hasCustomRules = false): void {
  const members: Record<string, unknown> = withoutPrototype({})
  copyContent(members, info)
  const { level: _, message: ownMessage, timestamp, ...others } = members
  const attributes = withoutPrototype(others)
  // The message of an Error that was logged by itself is not enumerable.
  const message = Object.hasOwn(members, 'message') ? ownMessage : memberOrThrownMarker(info, 'message')
  const time = timeOf(timestamp)
  if (time === undefined && timestamp !== undefined) attributes['timestamp'] = timestamp
  if (time !== undefined) record.time = time
  const splat = splatOf(info)
  const error = findError(info, message, splat)
  const filledMessage = hasCustomRules ? (info[FILLED_MESSAGE] as FilledMessage | undefined) : undefined
  // A format after `format.splat()` may have changed the message.
  const usesFilledMessage = filledMessage !== undefined && filledMessage.filled === message
  record.body = usesFilledMessage ? filledMessage.message : message
  record.keepsBraces = true
  if (error !== undefined) setException(record, error, message, attributes)
  const placeholderCount = usesFilledMessage ? 0 : countPlaceholders(record.body)
  if (usesFilledMessage) record.printfArguments = filledMessage.args
  if (placeholderCount > 0) record.printfArguments = splat.slice(0, placeholderCount)
  const remainingArguments =
    placeholderCount > 0
      ? splat.slice(placeholderCount)
      : usesFilledMessage
        ? []
        : unusedArguments(splat, members, textOf(record.body))
  // Merge the objects as format.splat() would have done.
  if (placeholderCount > 0) for (const meta of remainingArguments) if (!isError(meta)) copyContent(attributes, meta)
  if (hasCustomRules) restoreByteList(attributes)
  const extraArguments =
    placeholderCount > 0
      ? remainingArguments.filter((item) => typeof item !== 'object' || item === null)
      : remainingArguments
  if (extraArguments.length > 0) record.extraArguments = extraArguments
  record.attributes = attributes
}

/** Restores a list of bytes whose numbers winston turned into members, such as `{"0":112,"1":97}`. */
function restoreByteList(attributes: Record<string, unknown>): void {
  const bytes: unknown[] = []
  for (let index = 0; isByte(attributes[index]); index++) bytes.push(attributes[index])
  if (bytes.length === 0) return
  for (const index of bytes.keys()) delete attributes[index]
  attributes['value'] = Object.hasOwn(attributes, 'value') ? [bytes, attributes['value']] : bytes
}

function splatOf(info: TransformableInfo): readonly unknown[] {
  const splat = memberOrThrownMarker(info, SPLAT)
  return Array.isArray(splat) ? (splat as unknown[]) : []
}

/** Returns the Error of an info: itself, its message, the first argument, an uncaught error, or a new one with the info's stack. */
function findError(info: TransformableInfo, message: unknown, [meta]: readonly unknown[]): object | undefined {
  for (const candidate of [info, message, meta]) if (isError(candidate)) return candidate
  const error = member(info, 'error')
  const isUncaught = member(info, 'exception') === true || member(info, 'rejection') === true
  if (isUncaught && isError(error)) return error
  const stack = member(info, 'stack')
  return typeof stack === 'string' ? errorFromStack(stack, textOf(message)) : undefined
}

/** Sets the exception of a record, and removes copies of its texts from the body and the attributes. */
function setException(record: LogRecord, error: object, message: unknown, attributes: Record<string, unknown>): void {
  record.exception = error
  const errorMessage = memberOrThrownMarker(error, 'message')
  if (message === error) record.body = errorMessage
  else if (
    typeof message === 'string' &&
    typeof errorMessage === 'string' &&
    errorMessage !== '' &&
    message.endsWith(` ${errorMessage}`)
  ) {
    // winston appends the error's message to the logged message.
    record.body = message.slice(0, -errorMessage.length - 1)
  }
  // The exception already contains these.
  for (const key of ['stack', 'cause', 'error']) {
    const value = member(attributes, key)
    if (key !== 'error' ? value === memberOrThrownMarker(error, key) : value === error) delete attributes[key]
  }
}

/** Returns the descriptor of a member that is not enumerable, as the members of an Error are. */
function nonEnumerable(value: string): PropertyDescriptor {
  return { __proto__: null, value, enumerable: false } as PropertyDescriptor
}

/** Creates an Error from a stack, if a format kept nothing else. */
function errorFromStack(stack: string, message: string): object {
  const name = /^(\w*(?:Error|Exception))\b/.exec(stack)?.[1] ?? 'Error'
  const members = { name: nonEnumerable(name), message: nonEnumerable(message), stack: nonEnumerable(stack) }
  return Object.create(Error.prototype, members) as object
}

/**
 * Returns the arguments that neither the message nor the members contain. The first argument is not among them if it is an object: winston
 * merged its members into the info, and if it is an Error, it is the exception of the record.
 */
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
    if (timestamp instanceof Date) return validTime(Date.prototype.getTime.call(timestamp))
    if (typeof timestamp === 'number') return validTime(timestamp)
    // Only ISO 8601 with a time zone is read: texts of other patterns do not name their time zone.
    if (typeof timestamp !== 'string' || !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(timestamp)) return undefined
    return validTime(Date.parse(timestamp))
  } catch {
    return undefined
  }
}

/** The maximum time value of ECMAScript, in milliseconds before or after the epoch. */
const maxTimeMillis = 8.64e15

function validTime(time: number): number | undefined {
  return Math.abs(time) <= maxTimeMillis ? time : undefined
}
