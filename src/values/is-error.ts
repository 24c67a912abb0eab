/**
 * Returns whether a value is an Error: of this realm, of another one (a vm context, a test runner), or an object that was created from
 * `Error.prototype`. Never throws, even for a proxy.
 */
export function isError(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false
  try {
    return isNativeError(value) || value instanceof Error
  } catch {
    return false
  }
}

// V8 has Error.isError since 13.4 (Node 24). Before that, the tag identifies an Error of another realm.
const isNativeError: (value: object) => boolean =
  (Error as { isError?: (value: unknown) => boolean }).isError ??
  ((value) => Object.prototype.toString.call(value) === '[object Error]')
