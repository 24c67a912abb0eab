import type { KeyTest } from './keys.ts'

/**
 * The headers whose values are credentials, in lower case. The first four are those of RFC 9110 sections 11.6 and 11.7
 * and of RFC 6265; the others are what API gateways, clouds and frameworks carry keys, sessions and tokens in.
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
 * Whether a member holds header or trailer fields: its name ends in `header`, `headers`, `trailer` or `trailers`, with or without
 * `Distinct` behind it, in any case. Node has `rawHeaders`, `headersDistinct` and `rawTrailers`, koa has `header`.
 */
export const isHeaders: KeyTest = (key) => {
  if (key.length < 6) return false
  const last = key.charCodeAt(key.length - 1) | 32
  return last >= 114 && last <= 116 && /(?:head|trail)ers?(?:distinct)?$/i.test(key)
}

/** Whether a header's value is a credential; header names are case-insensitive (RFC 9110 section 5.1). */
export const isCredentialHeader: KeyTest = (key) => credentialHeaders.has(key.toLowerCase())

/**
 * The same for a member that holds one header, as OpenTelemetry's conventions for HTTP name it, and for the text of all of
 * them, which Node keeps as `_header` and `_trailer` of a message that it has sent.
 */
export const isCredentialAttribute: KeyTest = (key) => {
  if (key === '_header' || key === '_trailer') return true
  const header = key.startsWith('http.re') ? /^http\.(?:request|response)\.header\.(.+)$/.exec(key)?.[1] : undefined
  // Older versions of the conventions wrote `_` for `-`.
  return header !== undefined && isCredentialHeader(header.replaceAll('_', '-'))
}

/**
 * Whether a member of one of Node's objects holds messages of HTTP as they are sent: the queue of a request without a connection
 * (`outputData`), what a socket sends once it is connected, and the bytes of a request that the parser has refused.
 */
export const isRawMessage: KeyTest = (key) => key === 'outputData' || key === '_pendingData' || key === 'rawPacket'

/** Whether a member of this name can hold a credential header or the text of one. */
export const mayBeOfHeaders: KeyTest = (key) => isHeaders(key) || isCredentialAttribute(key) || isRawMessage(key)

/**
 * Whether JSON can hold a member that these tests are about. It reads the text once, which is faster than to walk the value: most
 * values hold none.
 */
export function mayHoldHeaders(json: string): boolean {
  return holdsHeaders.test(json)
}

/** Whether text of inspected values can show such a member. */
export function mayShowHeaders(text: string): boolean {
  return showsHeaders.test(text)
}

const showsHeaders = /header|trailer|outputData|_pendingData|rawPacket/i
const holdsHeaders = /(?:head|trail)ers?(?:distinct)?"|"http\.re|"(?:outputData|_pendingData|rawPacket)"/i
