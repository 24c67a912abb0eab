import { inspect, types } from 'node:util'
import { parsePrintf } from '../encode/template/printf.ts'
import { isAttributes } from '../logger/arguments.ts'
import type { LogCall } from '../logger/log-call.ts'
import { isError } from '../values/is-error.ts'
import { logCallOf } from '../logger/log-call.ts'

/** Returns whether an argument is logged as a value rather than as text, so that redaction rules apply to its members. */
export function isLoggedSeparately(value: unknown): boolean {
  return (typeof value === 'object' && value !== null && !isPlainDate(value)) || typeof value === 'function'
}

/**
 * Maps the arguments of a console call to the fields of a record. The first Error is the exception, and the first object with members
 * provides the attributes. Further objects, arrays and functions become the attribute `args`, or the body if there is no other.
 * Placeholders of the message consume their values first.
 * All other arguments are text, joined as Node joins them.
 */
export function parseConsoleArguments(args: readonly unknown[]): LogCall {
  const [first] = args
  const kinds = typeof first === 'string' && args.length > 1 ? (parsePrintf(first)?.kinds ?? []) : []
  const inserted = kinds.length === 0 ? [] : args.slice(1, kinds.length + 1)
  const rest = args.slice(inserted.length === 0 ? 0 : inserted.length + 1)
  const texts: string[] = inserted.length === 0 ? [] : [first as string]
  let attributes: object | undefined
  let exception: unknown = inserted.find(isError)
  const extra: unknown[] = []
  for (const value of rest) {
    if (!isLoggedSeparately(value))
      texts.push(inserted.length === 0 ? textOf(value) : textOf(value).replaceAll('%', '%%'))
    else if (exception === undefined && isError(value)) exception = value
    else if (attributes === undefined && isAttributes(value)) attributes = value
    else extra.push(value)
  }
  // A single argument is the body, as with a logger: redaction rules apply to each item of an array.
  if (args.length === 1 && extra.length === 1) return logCallOf(extra[0])
  return {
    body: texts.length === 0 ? undefined : texts.join(' '),
    args: inserted.length === 0 ? undefined : inserted,
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
