import { truncate } from '../json/quote.ts'

/** Returns the text of a function value. Its `name` may be any value and is used only if it is a string. */
export function functionText(value: unknown): string {
  try {
    const name: unknown = (value as { name?: unknown }).name
    return typeof name === 'string' && name !== '' ? `[Function: ${name}]` : '[Function]'
  } catch {
    return '[Function]'
  }
}

/** The maximum length of the marker at the end of a string that was cut, in UTF-16 units. */
export const maxMarkerLength = 40

/** Returns a string cut to the limit, with a marker that counts the missing UTF-16 units, including those that were cut before. */
export function cutWithMarker(value: string, limit: number): string {
  const kept = truncate(value, limit)
  return kept + cutMarker(value, kept.length)
}

/** Returns the marker after the first `keptLength` units of a string that is cut there. */
export function cutMarker(value: string, keptLength: number): string {
  const [marker, countedBefore] = markerOf(value)
  return `…[+${value.length - marker.length - keptLength + countedBefore} characters]`
}

/**
 * Returns the marker at the end of a string that was cut before, and the number of characters that it counts; '' and 0 for other strings.
 */
export function markerOf(value: string): readonly [marker: string, characters: number] {
  const [marker = '', count = 0] = /…\[\+(\d+) characters\]$/.exec(value.slice(-maxMarkerLength)) ?? []
  return [marker, Number(count)]
}

/** Returns the text of a container over the depth limit, with the number of its items or keys. */
export function containerMarker(kind: 'Array' | 'Object', size: number): string {
  return kind === 'Array' ? `[Array: ${size} items]` : `[Object: ${size} keys]`
}

/** Returns the length of an array or a proxy of one: a number from 0 to 2^53 - 1, whatever a proxy returns. */
export function lengthOf(array: readonly unknown[]): number {
  const length: unknown = array.length
  return typeof length === 'number' && length > 0 ? Math.min(Math.floor(length), Number.MAX_SAFE_INTEGER) : 0
}
