import { format, inspect } from 'node:util'
import { isError } from '../../values/is-error.ts'
import { inspectedTextMayContainHeaders } from '../../redact/headers.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import type { JsonWriter } from './json-text.ts'
import { member } from '../../options/own-members.ts'

/**
 * Formats a message as `util.format` does, with redacted arguments. A string without further arguments is returned unchanged: it is
 * redacted when the record is written. Never throws.
 */
export function formatMessage(args: readonly unknown[], json: JsonWriter): string {
  const [first] = args
  if (args.length === 1 && typeof first === 'string') return first
  if (!json.hasNoCustomRules) return formatSafely(args.map((value) => redactedArgument(value, json)))
  const text = formatSafely(args)
  if (json.redaction === undefined || !mayShowSecrets(text, json)) return text
  return formatSafely(args.map((value) => (mustRedact(value, json) ? redactedArgument(value, json) : value)))
}

function formatSafely(parts: readonly unknown[]): string {
  try {
    return format(...parts)
  } catch {
    // A conversion or a proxy threw: format each part separately.
    return parts.map(inspectSafely).join(' ')
  }
}

/**
 * Returns whether a formatted text may contain a secret: a credential header, recognized by its name, or the password of a URL, in the
 * URL or as the `password` member that Node prints.
 */
function mayShowSecrets(text: string, json: JsonWriter): boolean {
  if (inspectedTextMayContainHeaders(text) || json.mayContainPasswords(text)) return true
  // Node may have truncated the `href` of a URL before the password, but not its other members.
  return json.masksUrlPasswords && text.includes('URLSearchParams') && /password: (?:'[^']|")/.test(text)
}

/** Returns whether a value can contain a secret when formatted as JSON, or with `%o`, which shows the most. */
function mustRedact(value: unknown, json: JsonWriter): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  // No default rule matches an empty key.
  return (
    mayShowSecrets(formatSafely(['%o', value]), json) || json.mayMatchDefaultRules(json.memberJson(value, '') ?? '')
  )
}

/** Returns the redacted form of an argument; an Error becomes its redacted stack. Never throws. */
function redactedArgument(value: unknown, json: JsonWriter): unknown {
  try {
    if (!isError(value)) return json.redactedForm(value)
    // An Error is displayed as its stack. Redact before formatting, which may truncate it.
    const stack = member(value, 'stack')
    return typeof stack === 'string' ? json.redactPatterns(stack) : stack
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
