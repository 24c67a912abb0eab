import { redactedUrl, type SecretNameTest } from './target.ts'

/** Redacts the secrets in the URLs of a header value; a value without secrets is returned unchanged. */
export function redactHeaderUrls(name: string, value: string, isSecret: SecretNameTest): string {
  if (urlHeaders.has(name)) return redactedUrl(value, isSecret)
  if (name === 'link') return redactedLinks(value, isSecret)
  return name === 'refresh' ? redactedRefresh(value, isSecret) : value
}

/**
 * Headers whose value is a single URL: those of RFC 9110, RFC 6454 and WebDAV, and those in which proxies pass the original target.
 */
const urlHeaders: ReadonlySet<string> = new Set([
  'content-location',
  'destination',
  'location',
  'origin',
  'referer',
  'x-forwarded-uri',
  'x-original-uri',
  'x-original-url',
  'x-rewrite-url',
])

/** Redacts links (RFC 8288 section 3): `<url>; rel="next"; anchor="url", …`. A value without brackets is treated as a URL. */
function redactedLinks(value: string, isSecret: SecretNameTest): string {
  if (!value.includes('<')) return redactedUrl(value, isSecret)
  const redactUrl = (_: string, prefix: string, url: string): string => prefix + redactedUrl(url, isSecret)
  return value.replace(linkTarget, redactUrl).replace(linkAnchor, redactUrl)
}

/** A prefix and the URL after it, in two groups. */
const linkTarget = /(<\s*)([^>]*)/g
const linkAnchor = /(;\s*anchor\s*=\s*"?)((?<=")[^"]*|[^\s;,"]*)/gi

/**
 * Redacts a `Refresh` value (HTML, "shared declarative refresh steps"): `5`, `5; url=…`, `5, '…'`. A URL in quotes ends at the closing
 * quote; the text after it is redacted as a URL too.
 */
function redactedRefresh(value: string, isSecret: SecretNameTest): string {
  const [, prefix, quote, rest] = /^([\s\d.]*[;,]?\s*(?:url\s*=\s*)?)(["']?\s*)(.*)$/is.exec(value)!
  const quoteMark = quote!.trim()
  const end = quoteMark === '' ? rest!.length : (rest! + quoteMark).indexOf(quoteMark)
  return prefix! + quote! + redactedUrl(rest!.slice(0, end), isSecret) + redactedUrl(rest!.slice(end), isSecret)
}
