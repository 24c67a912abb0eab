import { format, inspect } from 'node:util'
import { isError } from '../rules/is-error.ts'
import { threw } from '../rules/threw.ts'
import type { JsonText } from './json-text.ts'

/** A message as `util.format` makes it, of what rules let be shown. Never throws. */
export function formatted(args: readonly unknown[], json: JsonText): string {
  const [first] = args
  if (args.length === 1 && typeof first === 'string') return first
  const parts = json.redaction === undefined ? args : args.map((value) => shown(value, json))
  try {
    return format(...parts)
  } catch {
    // A conversion, or a proxy: each by itself.
    return parts.map(alone).join(' ')
  }
}

function shown(value: unknown, json: JsonText): unknown {
  try {
    // Of an Error that is an argument of a message, its stack is what there is to show.
    return isError(value) ? value.stack : json.shown(value)
  } catch (error) {
    return threw(error)
  }
}

function alone(value: unknown): string {
  try {
    return typeof value === 'string' ? value : inspect(value, { depth: 2, customInspect: false })
  } catch (error) {
    return threw(error)
  }
}
