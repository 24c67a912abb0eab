/**
 * Names of attributes. Those of OpenTelemetry's registry have its meaning; it has none for the others, which therefore stay out
 * of its namespaces.
 */
export const requestId = 'request.id'
/** Of a user's function that threw, or returned what it must not: what it was, below the option's name. */
export const diagnosticPrefix = 'request_log.'

/** OpenTelemetry, HTTP spans. */
export const requestHeader = 'http.request.header.'
export const responseHeader = 'http.response.header.'

/** The methods of RFC 9110 and of RFC 5789; others are `_OTHER`, so that whoever asks cannot make up new ones. */
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
