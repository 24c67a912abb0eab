import type { Fields } from './fields.ts'
import type { SecretTest } from './target.ts'
import { coveredValue } from './url-headers.ts'

/** What has header fields: a request or a response. */
interface Headed {
  header?(name: string): HeaderValue
}

type HeaderValue = number | string | readonly string[] | undefined

/** A header field; undefined where there is none. Of a name that it does not like fetch does not say so: it throws. */
export function readHeader(message: Headed, name: string): HeaderValue {
  try {
    return message.header?.(name)
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
    const values = typeof value === 'object' ? value.map(String) : [String(value)]
    fields[prefix + name] = values.map((value) => coveredValue(name, value, isSecret))
  }
}
