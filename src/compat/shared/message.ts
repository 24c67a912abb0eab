import { format, inspect } from 'node:util'
import { isError } from '../../values/is-error.ts'
import { mayShowHeaders } from '../../redact/headers.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import type { JsonText } from './json-text.ts'
import { member } from '../../options/own-members.ts'

/** A message as `util.format` makes it, of what rules let be shown. Never throws. */
export function formatted(args: readonly unknown[], json: JsonText): string {
  const [first] = args
  if (args.length === 1 && typeof first === 'string') return first
  if (!json.isPlain) return joined(args.map((value) => shown(value, json)))
  const text = joined(args)
  if (json.redaction === undefined || !showsSecrets(text, json)) return text
  return joined(args.map((value) => (mustRedact(value, json) ? shown(value, json) : value)))
}

function joined(parts: readonly unknown[]): string {
  try {
    return format(...parts)
  } catch {
    // A conversion, or a proxy: each by itself.
    return parts.map(alone).join(' ')
  }
}

/** Whether a text can show headers, which name what holds them, or the password of a URL, which Node shows as a member too. */
function showsSecrets(text: string, json: JsonText): boolean {
  if (mayShowHeaders(text) || json.holdsPasswords(text)) return true
  // Node may have cut the `href` of a URL before the password, but not its other members.
  return json.masksUrls && text.includes('URLSearchParams') && /password: (?:'[^']|")/.test(text)
}

/** Whether a value by itself can show one: as `%o` has it, which shows most, or as JSON. */
function mustRedact(value: unknown, json: JsonText): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return showsSecrets(joined(['%o', value]), json) || json.holdsSecrets(json.member(value, '') ?? '')
}

function shown(value: unknown, json: JsonText): unknown {
  try {
    if (!isError(value)) return json.shown(value)
    // Of an Error that is an argument of a message, its stack is what there is to show. What inserts it may cut it.
    const stack = member(value, 'stack')
    return typeof stack === 'string' ? json.clean(stack) : stack
  } catch (error) {
    return thrownMarker(error)
  }
}

function alone(value: unknown): string {
  try {
    return typeof value === 'string' ? value : inspect(value, { depth: 2, customInspect: false })
  } catch (error) {
    return thrownMarker(error)
  }
}
