import { scalarText } from './thrown-marker.ts'

/**
 * What was thrown, as something with members: an object itself; anything else has its text for a message, and the name of its
 * type for a type (EXC1). undefined where nothing was.
 */
export function thrownError(thrown: unknown): object | undefined {
  if (thrown === undefined || thrown === null) return undefined
  if (typeof thrown === 'object') return thrown
  const message = typeof thrown === 'function' ? '[Function]' : scalarText(thrown)
  return { __proto__: null, name: typeof thrown, message }
}
