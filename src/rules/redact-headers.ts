import type { KeyTest } from './redact-keys.ts'

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

/** Whether a member holds headers: its name ends in `headers`, in any case, as `rawHeaders` and `response_headers` do. */
export const isHeaders: KeyTest = (key) => key.length >= 7 && key.slice(-7).toLowerCase() === 'headers'

/** Whether a header's value is a credential; header names are case-insensitive (RFC 9110 section 5.1). */
export const isCredentialHeader: KeyTest = (key) => credentialHeaders.has(key.toLowerCase())

/** The same for an attribute that holds one header, as OpenTelemetry's conventions for HTTP name it. */
export const isCredentialAttribute: KeyTest = (key) => {
  const header = key.startsWith('http.re') ? /^http\.(?:request|response)\.header\.(.+)$/.exec(key)?.[1] : undefined
  // Older versions of the conventions wrote `_` for `-`.
  return header !== undefined && isCredentialHeader(header.replaceAll('_', '-'))
}
