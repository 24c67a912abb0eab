import { inspect, types } from 'node:util'
import { parsePrintf } from '../encode/template/printf.ts'
import { isAttributesObject } from '../logger/arguments.ts'
import type { LogCall } from '../logger/log-call.ts'
import { isError } from '../values/is-error.ts'
import { logCallOf } from '../logger/log-call.ts'

/** Returns whether an argument is logged as a value rather than as text, so that redaction rules apply to its members. */
export function isLoggedSeparately(value: unknown): boolean {
  return (typeof value === 'object' && value !== null && !isPlainDate(value)) || typeof value === 'function'
}

/**
 * Maps the arguments of a console call to the fields of a record. Placeholders of a message consume their values first. Of the other
 * arguments, the first Error is the exception, and the first object with members provides the attributes; further objects, arrays and
 * functions become the attribute `args`. A single argument that would go there, such as an array, is the body. All other arguments are
 * text, joined as Node joins them.
 */
export function parseConsoleArguments(args: readonly unknown[]): LogCall {
  const [first] = args
  const placeholderKinds = typeof first === 'string' && args.length > 1 ? (parsePrintf(first)?.kinds ?? []) : []
  const placeholderValues = placeholderKinds.length === 0 ? [] : args.slice(1, placeholderKinds.length + 1)
  const rest = args.slice(placeholderValues.length === 0 ? 0 : placeholderValues.length + 1)
  const texts: string[] = placeholderValues.length === 0 ? [] : [first as string]
  let attributes: object | undefined
  let exception: unknown = placeholderValues.find(isError)
  const extra: unknown[] = []
  for (const value of rest) {
    // The logger formats a body with placeholders, so percent signs in the texts that are added to it are escaped.
    if (!isLoggedSeparately(value))
      texts.push(placeholderValues.length === 0 ? textOf(value) : textOf(value).replaceAll('%', '%%'))
    else if (exception === undefined && isError(value)) exception = value
    else if (attributes === undefined && isAttributesObject(value)) attributes = value
    else extra.push(value)
  }
  // The body is not formatted as text, so redaction rules apply to each item of an array.
  if (args.length === 1 && extra.length === 1) return logCallOf(extra[0])
  return {
    body: texts.length === 0 ? undefined : texts.join(' '),
    args: placeholderValues.length === 0 ? undefined : placeholderValues,
    attributes,
    exception,
    extra: extra.length === 0 ? undefined : extra,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value)
}

/** Returns whether an object is logged as text: a Date without additional members. */
function isPlainDate(value: object): boolean {
  return types.isDate(value) && Reflect.ownKeys(value).length === 0
}
