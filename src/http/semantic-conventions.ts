/**
 * Attribute names. Names of OpenTelemetry's registry have the meaning defined there; the others have no registered name and
 * therefore do not use its namespaces.
 */
export const requestId = 'request.id'
/** The prefix of attributes that report a user's function that threw or returned an invalid value, followed by the option name. */
export const diagnosticPrefix = 'request_log.'

/** Prefixes defined by OpenTelemetry's semantic conventions for HTTP spans. */
export const requestHeader = 'http.request.header.'
export const responseHeader = 'http.response.header.'

/** The methods of RFC 9110 and RFC 5789. Others are logged as `_OTHER`, so that clients cannot create arbitrary values. */
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
