import { format, inspect } from 'node:util'
import { isError } from '../rules/is-error.ts'
import { threw } from '../rules/threw.ts'
import type { JsonText } from './json-text.ts'

/** A message as `util.format` makes it, of what rules let be shown. Never throws. */
export function formatted(args: readonly unknown[], json: JsonText): string {
  const [first] = args
  if (args.length === 1 && typeof first === 'string') return first
  if (!json.isPlain) return joined(args.map((value) => shown(value, json)))
  const text = joined(args)
  // What shows a header names what holds it.
  if (json.redaction === undefined || !/header/i.test(text)) return text
  return joined(args.map((value) => (showsHeaders(value, json) ? shown(value, json) : value)))
}

function joined(parts: readonly unknown[]): string {
  try {
    return format(...parts)
  } catch {
    // A conversion, or a proxy: each by itself.
    return parts.map(alone).join(' ')
  }
}

/** Whether a value by itself can show headers: as Node inspects it, or as JSON. */
function showsHeaders(value: unknown, json: JsonText): boolean {
  if (typeof value !== 'object' || value === null) return false
  return /header/i.test(alone(value)) || json.holdsHeaders(json.member(value, '') ?? '')
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
