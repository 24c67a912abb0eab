import { inspect, types } from 'node:util'
import { parsePrintf } from '../encode/template/printf.ts'
import { isAttributes } from '../logger/arguments.ts'
import type { LogCall } from '../logger/log-call.ts'
import { isError } from '../values/is-error.ts'
import { logCallOf } from '../logger/log-call.ts'

/** Whether an argument is logged by itself: rules of redaction must reach what it holds. */
export function isLoggedSeparately(value: unknown): boolean {
  return (typeof value === 'object' && value !== null && !isOneValue(value)) || typeof value === 'function'
}

/**
 * Finds the places of a console call's arguments in a record. The first Error is the exception, the first object with members
 * the attributes; further ones, arrays and functions are the attribute `args`, or the body where nothing else is said.
 * Placeholders of the message take their values first.
 * All else is text, joined as Node joins it.
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
  // Alone it is the body, as with a logger: rules start at each item of an array.
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

/** A Date says one thing, unless somebody has put more on it. */
function isOneValue(value: object): boolean {
  return types.isDate(value) && Reflect.ownKeys(value).length === 0
}
