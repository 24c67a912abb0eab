import { primitiveText } from './thrown-marker.ts'

/**
 * Returns a thrown value as an object with the members of an Error: an object itself, or an object whose `message` is the text of the value
 * and whose `name` is the JavaScript type of the value. Returns undefined for undefined and null.
 */
export function thrownError(thrown: unknown): object | undefined {
  if (thrown === undefined || thrown === null) return undefined
  if (typeof thrown === 'object') return thrown
  const message = typeof thrown === 'function' ? '[Function]' : primitiveText(thrown)
  return { __proto__: null, name: typeof thrown, message }
}
