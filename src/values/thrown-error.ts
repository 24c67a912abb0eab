import { scalarText } from './thrown-marker.ts'

/**
 * Returns a thrown value as an object with members: an object itself, or an object with the text of the value as its message and the name
 * of the value's type as its type (EXC1). Returns undefined for undefined and null.
 */
export function thrownError(thrown: unknown): object | undefined {
  if (thrown === undefined || thrown === null) return undefined
  if (typeof thrown === 'object') return thrown
  const message = typeof thrown === 'function' ? '[Function]' : scalarText(thrown)
  return { __proto__: null, name: typeof thrown, message }
}
