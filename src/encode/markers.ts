import { truncate } from './quote.ts'

/** The text of a function value; its name may be anything, so only a string counts. */
export function functionText(value: unknown): string {
  try {
    const name: unknown = (value as { name?: unknown }).name
    return typeof name === 'string' && name !== '' ? `[Function: ${name}]` : '[Function]'
  } catch {
    return '[Function]'
  }
}

/** A string past the limit: its beginning, and how many UTF-16 units are missing. */
export function stringText(value: string, limit: number): string {
  const kept = truncate(value, limit)
  return `${kept}…[+${value.length - kept.length} characters]`
}

/** A container past the depth limit, with what it holds counted. */
export function containerMarker(kind: 'Array' | 'Object', size: number): string {
  return kind === 'Array' ? `[Array: ${size} items]` : `[Object: ${size} keys]`
}

/** The length of an array, or of a proxy that says it is one: a number from 0 to 2^53 - 1, whatever it answers. */
export function lengthOf(array: readonly unknown[]): number {
  const length: unknown = array.length
  return typeof length === 'number' && length > 0 ? Math.min(Math.floor(length), Number.MAX_SAFE_INTEGER) : 0
}
