import { synchronous } from '../options/observe-promise.ts'
import type { Fields } from './fields.ts'
import type { SecretTest } from './target.ts'
import { redactedValue } from './url-headers.ts'

/** A message with header fields: a request or a response. */
interface Headed {
  header?(name: string): HeaderValue
}

type HeaderValue = number | string | readonly string[] | undefined

/**
 * Returns a header field; undefined if it is missing, if `header` throws, as the Fetch API does for some names, or if it is
 * asynchronous.
 */
export function readHeader(message: Headed, name: string): HeaderValue {
  try {
    return synchronous(message.header?.(name), 'header')
  } catch {
    return undefined
  }
}

/**
 * Adds the configured headers as OpenTelemetry attributes: one for each header, with an array of values. Credentials are redacted
 * by the default rules of every logger; secrets in URLs are redacted here, as in `url.query`.
 */
export function addHeaders(
  fields: Fields,
  prefix: string,
  names: readonly string[],
  message: Headed,
  isSecret: SecretTest,
): void {
  for (const name of names) {
    const value = readHeader(message, name)
    if (value === undefined) continue
    const values = Array.isArray(value) ? value.map(String) : [String(value)]
    fields[prefix + name] = values.map((value) => redactedValue(name, value, isSecret))
  }
}
