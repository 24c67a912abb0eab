import { requireSynchronous } from '../options/observe-promise.ts'
import type { Fields } from './fields.ts'
import type { SecretNameTest } from './target.ts'
import { redactHeaderUrls } from './url-headers.ts'

/** A message with header fields: a request or a response. */
interface MessageWithHeaders {
  header?(name: string): HeaderValue
}

type HeaderValue = number | string | readonly string[] | undefined

/**
 * Returns a header field; undefined if it is missing, if `header` throws, as the Fetch API does for some names, or if it is
 * asynchronous.
 */
export function readHeader(message: MessageWithHeaders, name: string): HeaderValue {
  try {
    // A function without types may return null, as `Headers.get` does.
    return requireSynchronous(message.header?.(name), 'header') ?? undefined
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
  message: MessageWithHeaders,
  isSecret: SecretNameTest,
): void {
  for (const name of names) {
    const value = readHeader(message, name)
    if (value === undefined) continue
    const values = Array.isArray(value) ? value.map(String) : [String(value)]
    fields[prefix + name] = values.map((item) => redactHeaderUrls(name, item, isSecret))
  }
}
