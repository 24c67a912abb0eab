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
 * Returns whether a member contains header or trailer fields: its name ends in `header`, `headers`, `trailer` or `trailers`, optionally
 * followed by `Distinct`, ignoring case. Node has `rawHeaders`, `headersDistinct` and `rawTrailers`; koa has `header`.
 */
export const isHeaders: KeyTest = (key) => {
  if (key.length < 6) return false
  const last = key.charCodeAt(key.length - 1) | 32
  return last >= 114 && last <= 116 && /(?:head|trail)ers?(?:distinct)?$/i.test(key)
}

/** Returns whether a header's value is a credential. Header names are case-insensitive (RFC 9110 section 5.1). */
export const isCredentialHeader: KeyTest = (key) => credentialHeaders.has(key.toLowerCase())

/**
 * Returns whether a member contains a credential as a single header, under the name that OpenTelemetry's HTTP conventions define, or the
 * text of all headers, which Node stores as `_header` and `_trailer` of a message that it has sent.
 */
export const isCredentialAttribute: KeyTest = (key) => {
  if (key === '_header' || key === '_trailer') return true
  const header = key.startsWith('http.re') ? /^http\.(?:request|response)\.header\.(.+)$/.exec(key)?.[1] : undefined
  // Older versions of the conventions use `_` instead of `-`.
  return header !== undefined && isCredentialHeader(header.replaceAll('_', '-'))
}

/**
 * Returns whether a member of one of Node's objects contains raw HTTP messages: the queue of a request without a connection (`outputData`),
 * the data that a socket sends once it is connected (`_pendingData`), or the bytes of a request that the parser rejected (`rawPacket`).
 */
export const isRawMessage: KeyTest = (key) => key === 'outputData' || key === '_pendingData' || key === 'rawPacket'

/** Returns whether a member with this name can contain a credential header or the text of one. */
export const mayBeOfHeaders: KeyTest = (key) => isHeaders(key) || isCredentialAttribute(key) || isRawMessage(key)

/**
 * Returns whether JSON can contain a member that one of these tests accepts. It searches the text once, which is faster than walking the
 * value; most values contain no such member.
 */
export function mayHoldHeaders(json: string): boolean {
  return holdsHeaders.test(json)
}

/** Returns whether the text of inspected values can contain such a member. */
export function mayShowHeaders(text: string): boolean {
  return showsHeaders.test(text)
}

const showsHeaders = /header|trailer|outputData|_pendingData|rawPacket/i
const holdsHeaders = /(?:head|trail)ers?(?:distinct)?"|"http\.re|"(?:outputData|_pendingData|rawPacket)"/i
