import { escapeHighControls } from '../../../encode/json/quote.ts'
import { requireSynchronous } from '../../../options/observe-promise.ts'
import { isOnEveryObject, member } from '../../../options/own-members.ts'
import { anything, callback, either, flag, integer, list, text } from '../../../options/option-checks.ts'
import { isError } from '../../../values/is-error.ts'
import { MESSAGE, type Format, type TransformableInfo } from '../info.ts'
import { jsonCopy, sortedJson, type JsonStyle } from '../sorted-json.ts'
import { fallbackJson } from '../fallback-json.ts'
import { checkedOptions } from './format-options.ts'

/** Options of `format.json()`. */
export interface JsonOptions {
  /**
   * Replacer, as for `JSON.stringify`.
   *
   * @defaultValue none
   */
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

const limitsAdvice = 'values are already limited: see `limits` of createLogger'
const unsupported = {
  bigint: 'BigInts are written as strings, as in winston without a replacer',
  circularValue: 'a cycle is written as "[Circular]"',
  maximumBreadth: limitsAdvice,
  maximumDepth: limitsAdvice,
  strict: limitsAdvice,
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
  const options = checkedOptions('format.json', given, schema, unsupported)
  const { replacer, space, deterministic = true } = options
  const style: JsonStyle = { bigints: 'text', indent: indentOf(space) }
  const usesSortedJson = replacer === undefined && deterministic
  return {
    transform(info) {
      info[MESSAGE] = usesSortedJson ? jsonOf(info, style) : stringifyWithOptions(expandErrors(info), options)
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
    return fallbackJson(value)
  }
}

/** Returns the indentation that JSON.stringify would use. */
function indentOf(space: JsonOptions['space']): string {
  return typeof space === 'number' ? ' '.repeat(Math.min(10, Math.max(0, space))) : (space ?? '').slice(0, 10)
}

/** Returns JSON with a replacer, or with keys that are not sorted. Never throws. */
function stringifyWithOptions(value: object, { replacer: given, space, deterministic = true }: JsonOptions): string {
  const replacer = typeof given === 'function' ? synchronousReplacer(given) : given
  try {
    // JSON.stringify would call a `toJSON` of Object.prototype for each object without one.
    const ordered = deterministic || isOnEveryObject('toJSON') ? jsonCopy(value, deterministic) : value
    return escapeHighControls(JSON.stringify(ordered, (replacer ?? bigintToText) as Replacer, space))
  } catch {
    return fallbackJson(value)
  }
}

/**
 * Returns a replacer that throws if the user's replacer returns a promise, which `JSON.stringify` would write as `{}`. A promise that is
 * the value itself is allowed.
 */
function synchronousReplacer(replacer: Replacer): Replacer {
  return function (this: unknown, key, value) {
    const result = replacer.call(this, key, value)
    return typeof result === 'object' && result !== value ? requireSynchronous(result, 'a replacer') : result
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

/** Returns whether any member of an object is an Error. */
function hasErrors(value: object): boolean {
  for (const key in value) {
    if (isOnEveryObject(key) && !Object.hasOwn(value, key)) continue
    const part = (value as Record<string, unknown>)[key]
    if (typeof part === 'object' && part !== null && isError(part)) return true
  }
  return false
}

function serializeErrors(info: TransformableInfo): object {
  return Object.fromEntries(Object.keys(info).map((key) => [key, serializeError(info[key])]))
}

/** Returns an Error in the form in which lines of this package contain errors; any other value unchanged. */
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

function bigintToText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
