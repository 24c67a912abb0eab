/**
 * Whether a value is an Error: of this realm, of another one (a vm context, a test runner), or an object made from
 * `Error.prototype` by hand. Never throws, whatever a proxy does.
 */
export function isError(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false
  try {
    return isNativeError(value) || value instanceof Error
  } catch {
    return false
  }
}

// Error.isError is in V8 since 13.4 (Node 24); before it, the tag is what tells an Error of another realm.
const isNativeError: (value: object) => boolean =
  (Error as { isError?: (value: unknown) => boolean }).isError ??
  ((value) => Object.prototype.toString.call(value) === '[object Error]')
