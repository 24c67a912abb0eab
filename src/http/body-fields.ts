import { withoutPrototype } from '../options/own-members.ts'
import type { BodyCapture } from './body-capture.ts'
import type { HttpResponse } from './exchange.ts'
import type { Fields } from './fields.ts'
import { readHeader } from './header-fields.ts'
import { secretReplacement, type SecretNameTest } from './target.ts'

/** How the body of a request or of a response is logged. */
export interface BodySettings {
  /** The prefix of the attributes. */
  readonly prefix: string
  /** Whether the member of a JSON object with this name is secret. */
  readonly isSecretMember: SecretNameTest
  /** Whether the field of a form with this name is secret. */
  readonly isSecretParameter: SecretNameTest
}

/**
 * Adds the size and the content of a body to a record: JSON and forms as objects, so that the logger's rules apply to their members, other
 * text as text. If the content is not available completely, a marker replaces it, because a rule might not find a secret in a part.
 */
export function addBody(
  fields: Fields,
  body: BodyCapture | undefined,
  message: Pick<HttpResponse, 'header'>,
  settings: BodySettings,
): void {
  if (body === undefined || body.size === 0) return
  const content = contentOf(
    body,
    headerText(message, 'content-type'),
    headerText(message, 'content-encoding'),
    settings,
  )
  fields[`${settings.prefix}size`] = body.size
  if (content !== undefined) fields[`${settings.prefix}content`] = content
}

/** Returns the logged form of a body: its content or a marker; undefined for a type or content encoding that is not logged. */
function contentOf(
  body: BodyCapture,
  type: string,
  encoding: string,
  { isSecretMember, isSecretParameter }: BodySettings,
): unknown {
  const kind = kindOf(type)
  if (kind === undefined || !/^(?:identity)?$/i.test(encoding)) return undefined
  if (body.isTooLong) return '[Too long]'
  if (!body.isComplete) return '[Incomplete]'
  const text = body.text()
  if (text === undefined) return '[Not UTF-8]'
  if (kind === 'form') return formOf(text, isSecretParameter)
  // Browsers send JSON as text/plain, to avoid a preflight request.
  if (kind === 'text' && !/^\s*[[{]/.test(text)) return text
  const parsed = jsonOf(text, isSecretMember)
  return parsed === undefined ? '[Invalid JSON]' : parsed.value
}

function kindOf(type: string): 'json' | 'form' | 'text' | undefined {
  if (/charset\s*=(?!\s*"?\s*(?:utf-?8|us-ascii)\b)/i.test(type)) return undefined
  if (/^(?:application\/(?:[\w.+-]+\+)?json|text\/json)\s*(?:;|$)/i.test(type)) return 'json'
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return 'form'
  return /^text\//i.test(type) ? 'text' : undefined
}

/** Parses JSON, with its secrets redacted; undefined if it is invalid. */
function jsonOf(text: string, isSecret: SecretNameTest): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text, (key, value: unknown) => (isSecret(key) ? secretReplacement : value)) }
  } catch {
    return undefined
  }
}

/** Parses a form, with its secrets redacted. A field that occurs several times is an array. */
function formOf(text: string, isSecret: SecretNameTest): object {
  const form = withoutPrototype<Record<string, unknown>>({})
  for (const [name, value] of new URLSearchParams(text)) {
    const shown = isSecret(name) ? secretReplacement : value
    const existing = form[name]
    if (Array.isArray(existing)) existing.push(shown)
    else form[name] = existing === undefined ? shown : [existing, shown]
  }
  return form
}

function headerText(message: Pick<HttpResponse, 'header'>, name: string): string {
  const value = readHeader(message, name)
  return value === undefined ? '' : String(value)
}
