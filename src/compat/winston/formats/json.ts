import { escapedJson } from '../../../encode/json/quote.ts'
import { synchronous } from '../../../options/observe-promise.ts'
import { isOnEveryObject, member } from '../../../options/own-members.ts'
import { anything, callback, either, flag, integer, list, text } from '../../../options/option-checks.ts'
import { isError } from '../../../values/is-error.ts'
import { MESSAGE, type Format, type TransformableInfo } from '../info.ts'
import { sortedCopy, sortedJson, type JsonStyle } from '../sorted-json.ts'
import { totalJson } from '../total-json.ts'
import { optionsOf } from './format-options.ts'

/** Options of `format.json()`. */
export interface JsonOptions {
  /** Replacer, as for `JSON.stringify`. */
  readonly replacer?: ((this: unknown, key: string, value: unknown) => unknown) | readonly (string | number)[]
  /**
   * Indentation of the JSON: a number of spaces, or text.
   *
   * @defaultValue none: one line
   */
  readonly space?: string | number
  /**
   * Whether keys are sorted; `false` keeps the order in which they were set.
   *
   * @defaultValue true
   */
  readonly deterministic?: boolean
}

const rules = 'values are already limited: see `limits` of createLogger'
const unsupported = {
  bigint: 'BigInts are written as strings, as in winston without a replacer',
  circularValue: 'a cycle is written as "[Circular]"',
  maximumBreadth: rules,
  maximumDepth: rules,
  strict: rules,
}

const schema = {
  replacer: either('a function or an array', callback, list(anything), (value, where, problems) => {
    if (value !== null) callback(value, where, problems)
  }),
  space: either('a string or a number', text(), integer(0)),
  deterministic: flag,
}

/** Formats an info as JSON. */
export function json(given?: JsonOptions): Format {
  const options = optionsOf('format.json', given, schema, unsupported)
  const { replacer, space, deterministic = true } = options
  const style: JsonStyle = { bigints: 'text', indent: indentOf(space) }
  const isDefault = replacer === undefined && deterministic
  return {
    transform(info) {
      info[MESSAGE] = isDefault ? jsonOf(info, style) : withReplacer(expandErrors(info), options)
      return info
    },
    options,
  }
}

/** Returns the JSON of an info that a custom format may have changed. Never throws. */
export function jsonOf(value: object, style?: JsonStyle): string {
  try {
    return sortedJson(expandErrors(value), style)!
  } catch {
    return totalJson(value)
  }
}

/** Returns the indentation that JSON.stringify would use. */
function indentOf(space: JsonOptions['space']): string {
  return typeof space === 'number' ? ' '.repeat(Math.min(10, Math.max(0, space))) : (space ?? '').slice(0, 10)
}

function withReplacer(value: object, { replacer: given, space, deterministic = true }: JsonOptions): string {
  const replacer = typeof given === 'function' ? observedReplacer(given) : given
  try {
    // JSON.stringify would call a `toJSON` of Object.prototype for each object without one.
    const ordered = deterministic || isOnEveryObject('toJSON') ? sortedCopy(value, deterministic) : value
    return escapedJson(JSON.stringify(ordered, (replacer ?? bigintText) as Replacer, space))
  } catch {
    return totalJson(value)
  }
}

/** Throws if a replacer returns a promise, which `JSON.stringify` would drop. A promise among the values is not the replacer's. */
function observedReplacer(replacer: Replacer): Replacer {
  return function (this: unknown, key, value) {
    const result = replacer.call(this, key, value)
    return typeof result === 'object' && result !== value ? synchronous(result, 'a replacer') : result
  }
}

/** Expands Errors, which would be `{}` in JSON because their members are not enumerable. */
function expandErrors(value: object): object {
  if (!isError(value)) return hasErrors(value) ? serializeErrors(value as TransformableInfo) : value
  const { message } = value
  const stack = member(value, 'stack')
  return {
    ...serializeErrors(value as unknown as TransformableInfo),
    message,
    ...(stack === undefined ? {} : { stack }),
  }
}

function hasErrors(value: object): boolean {
  for (const key in value) {
    if (isOnEveryObject(key) && !Object.hasOwn(value, key)) continue
    const member = (value as Record<string, unknown>)[key]
    if (typeof member === 'object' && member !== null && isError(member)) return true
  }
  return false
}

function serializeErrors(info: TransformableInfo): object {
  return Object.fromEntries(Object.keys(info).map((key) => [key, serializeError(info[key])]))
}

/** Returns an Error in the form in which lines of this package contain errors. */
function serializeError(value: unknown): unknown {
  if (!isError(value)) return value
  const { name, message } = value
  const [stack, cause] = [member(value, 'stack'), member(value, 'cause')]
  return {
    type: name,
    message,
    ...(stack === undefined ? {} : { stacktrace: stack }),
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
    ...(value as object),
  }
}

type Replacer = (this: unknown, key: string, value: unknown) => unknown

function bigintText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
