/**
 * The attribute for the request ID. OpenTelemetry has not registered a name for it, so the name does not use one of OpenTelemetry's
 * namespaces.
 */
export const requestIdAttribute = 'request.id'
/**
 * The prefix of attributes that report that the function of an option threw or returned an invalid value, or that `set` threw. The name
 * of the option, or `set`, follows it.
 */
export const optionErrorPrefix = 'request_log.'

/** Prefixes of attributes for headers, from OpenTelemetry's semantic conventions for HTTP spans. The lowercase header name follows. */
export const requestHeaderPrefix = 'http.request.header.'
export const responseHeaderPrefix = 'http.response.header.'

/** Prefixes of attributes for bodies. `size` is from OpenTelemetry's conventions, `content` from the Elastic Common Schema. */
export const requestBodyPrefix = 'http.request.body.'
export const responseBodyPrefix = 'http.response.body.'

/**
 * The methods of RFC 9110, PATCH of RFC 5789, and QUERY of the IETF draft `httpbis-safe-method-w-body`. Others are logged as `_OTHER`,
 * so that clients cannot create arbitrary values.
 */
export const knownMethods: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
])
