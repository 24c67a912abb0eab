import { format, inspect } from 'node:util'
import { isError } from '../../values/is-error.ts'
import { mayShowHeaders } from '../../redact/headers.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import type { JsonText } from './json-text.ts'
import { member } from '../../options/own-members.ts'

/** Formats a message as `util.format` does, with redacted arguments. Never throws. */
export function formatted(args: readonly unknown[], json: JsonText): string {
  const [first] = args
  if (args.length === 1 && typeof first === 'string') return first
  if (!json.isPlain) return formatSafely(args.map((value) => shown(value, json)))
  const text = formatSafely(args)
  if (json.redaction === undefined || !showsSecrets(text, json)) return text
  return formatSafely(args.map((value) => (mustRedact(value, json) ? shown(value, json) : value)))
}

function formatSafely(parts: readonly unknown[]): string {
  try {
    return format(...parts)
  } catch {
    // A conversion or a proxy threw: format each part separately.
    return parts.map(inspectSafely).join(' ')
  }
}

/** Returns whether a text can contain headers, whose names it shows, or a URL password, which Node also shows as a member. */
function showsSecrets(text: string, json: JsonText): boolean {
  if (mayShowHeaders(text) || json.holdsPasswords(text)) return true
  // Node may have truncated the `href` of a URL before the password, but not its other members.
  return json.masksUrls && text.includes('URLSearchParams') && /password: (?:'[^']|")/.test(text)
}

/** Returns whether a value can contain a secret when formatted as JSON, or with `%o`, which shows the most. */
function mustRedact(value: unknown, json: JsonText): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return showsSecrets(formatSafely(['%o', value]), json) || json.holdsSecrets(json.member(value, '') ?? '')
}

function shown(value: unknown, json: JsonText): unknown {
  try {
    if (!isError(value)) return json.shown(value)
    // An Error is displayed as its stack. Redact before formatting, which may truncate it.
    const stack = member(value, 'stack')
    return typeof stack === 'string' ? json.clean(stack) : stack
  } catch (error) {
    return thrownMarker(error)
  }
}

function inspectSafely(value: unknown): string {
  try {
    return typeof value === 'string' ? value : inspect(value, { depth: 2, customInspect: false })
  } catch (error) {
    return thrownMarker(error)
  }
}
