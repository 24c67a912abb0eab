import type { KeyTest } from './key-test.ts'

/**
 * The headers whose values are credentials, in lower case. The first four are defined by RFC 9110 sections 11.6 and 11.7 and by RFC 6265;
 * API gateways, clouds and frameworks use the others for keys, sessions and tokens.
 */
export const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'api-key',
  'apikey',
  'ocp-apim-subscription-key',
  'private-token',
  'x-access-token',
  'x-amz-security-token',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
  'x-forwarded-access-token',
  'x-functions-key',
  'x-gitlab-token',
  'x-goog-api-key',
  'x-goog-iam-authorization-token',
  'x-id-token',
  'x-refresh-token',
  'x-session-token',
  'x-vault-token',
  'x-xsrf-token',
])

/**
 * Returns whether the name is that of a member with header or trailer fields: it ends in `header`, `headers`, `trailer` or `trailers`,
 * optionally followed by `Distinct`, ignoring case. Node has `rawHeaders`, `headersDistinct` and `rawTrailers`; koa has `header`.
 */
export const isHeadersName: KeyTest = (key) => {
  if (key.length < 6) return false
  const lastLetter = key.charCodeAt(key.length - 1) | 32
  // A fast check before the expression: the last letter must be r, s or t.
  return lastLetter >= 114 && lastLetter <= 116 && /(?:head|trail)ers?(?:distinct)?$/i.test(key)
}

/** Returns whether the value of the header with this name is a credential. Header names are case-insensitive (RFC 9110 section 5.1). */
export const isCredentialHeader: KeyTest = (key) => credentialHeaders.has(key.toLowerCase())

/**
 * Returns whether the name is that of a credential header in OpenTelemetry's HTTP conventions, or of a member with the text of all headers:
 * Node stores it as `_header` and `_trailer` of a message that it has sent.
 */
export const isCredentialAttribute: KeyTest = (key) => {
  if (key === '_header' || key === '_trailer') return true
  const header = key.startsWith('http.re') ? /^http\.(?:request|response)\.header\.(.+)$/.exec(key)?.[1] : undefined
  // Older versions of the conventions use `_` instead of `-`.
  return header !== undefined && isCredentialHeader(header.replaceAll('_', '-'))
}

/**
 * Returns whether the name is that of a member of Node's objects with raw HTTP messages: the queue of a request without a connection
 * (`outputData`), the data that a socket sends once it is connected (`_pendingData`), or the bytes of a request that the parser rejected
 * (`rawPacket`).
 */
export const isRawMessageName: KeyTest = (key) => key === 'outputData' || key === '_pendingData' || key === 'rawPacket'

/** Returns whether a member with this name can contain a credential header or the text of one. */
export const mayContainHeaders: KeyTest = (key) =>
  isHeadersName(key) || isCredentialAttribute(key) || isRawMessageName(key)

/**
 * Returns whether JSON can contain a member that `mayContainHeaders` accepts. It searches the text once, which is faster than walking the
 * value; most values contain no such member.
 */
export function jsonMayContainHeaders(json: string): boolean {
  return headerKeyInJson.test(json)
}

/** Returns whether the result of `util.inspect` can contain a member that `mayContainHeaders` accepts. */
export function inspectedTextMayContainHeaders(text: string): boolean {
  return headerKeyInText.test(text)
}

const headerKeyInText = /header|trailer|outputData|_pendingData|rawPacket/i
const headerKeyInJson = /(?:head|trail)ers?(?:distinct)?"|"http\.re|"(?:outputData|_pendingData|rawPacket)"/i
