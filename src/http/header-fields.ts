import { synchronous } from '../options/observe-promise.ts'
import type { Fields } from './fields.ts'
import type { SecretTest } from './target.ts'
import { redactedValue } from './url-headers.ts'

/** What has header fields: a request or a response. */
interface Headed {
  header?(name: string): HeaderValue
}

type HeaderValue = number | string | readonly string[] | undefined

/** Returns a header field; undefined if there is none, if `header` throws, as fetch does for some names, or if it is asynchronous. */
export function readHeader(message: Headed, name: string): HeaderValue {
  try {
    return synchronous(message.header?.(name), 'header')
  } catch {
    return undefined
  }
}

/**
 * Adds the headers that somebody wants to see, as OpenTelemetry has them: an attribute each, with an array of values. The
 * rules that each logger has cover those that are credentials; what is secret in a URL is covered here, as in `url.query`.
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
