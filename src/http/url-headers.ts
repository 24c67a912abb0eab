import { redactedUrl, type SecretTest } from './target.ts'

/** The value of a header field without what is secret in the URLs that it holds; one that holds none stays as it is. */
export function redactedValue(name: string, value: string, isSecret: SecretTest): string {
  if (wholeUrls.has(name)) return redactedUrl(value, isSecret)
  if (name === 'link') return coveredLinks(value, isSecret)
  return name === 'refresh' ? coveredRefresh(value, isSecret) : value
}

/** Headers whose value is one URL: those of RFC 9110, RFC 6454 and WebDAV, and what proxies tell a target by. */
const wholeUrls: ReadonlySet<string> = new Set([
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

/** Links (RFC 8288 section 3): `<url>; rel="next"; anchor="url", …`. What has no brackets is taken for a URL. */
function coveredLinks(value: string, isSecret: SecretTest): string {
  if (!value.includes('<')) return redactedUrl(value, isSecret)
  const cover = (_: string, before: string, url: string): string => before + redactedUrl(url, isSecret)
  return value.replace(target, cover).replace(anchor, cover)
}

const target = /(<\s*)([^>]*)/g
const anchor = /(;\s*anchor\s*=\s*"?)((?<=")[^"]*|[^\s;,"]*)/gi

/** What a browser does later (HTML, "shared declarative refresh steps"): `5`, `5; url=…`, `5, '…'`. */
function coveredRefresh(value: string, isSecret: SecretTest): string {
  const [, before, quote, rest] = /^([\s\d.]*[;,]?\s*(?:url\s*=\s*)?)(["']?\s*)(.*)$/is.exec(value)!
  const mark = quote!.trim()
  const end = mark === '' ? rest!.length : (rest! + mark).indexOf(mark)
  return before! + quote! + redactedUrl(rest!.slice(0, end), isSecret) + redactedUrl(rest!.slice(end), isSecret)
}
