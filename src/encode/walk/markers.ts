import { truncate } from '../json/quote.ts'

/** The text of a function value; its name may be anything, so only a string counts. */
export function functionText(value: unknown): string {
  try {
    const name: unknown = (value as { name?: unknown }).name
    return typeof name === 'string' && name !== '' ? `[Function: ${name}]` : '[Function]'
  } catch {
    return '[Function]'
  }
}

/** The longest marker of a string, in UTF-16 units. */
export const longestMarker = 40

/** A string past the limit: its beginning, and how many UTF-16 units are missing, those that were cut before included. */
export function stringText(value: string, limit: number): string {
  const kept = truncate(value, limit)
  return kept + cutMarker(value, kept.length)
}

/** What stands behind the first `kept` units of a string that is cut there. */
export function cutMarker(value: string, kept: number): string {
  const [marker, before] = markerOf(value)
  return `…[+${value.length - marker.length - kept + before} characters]`
}

/** The marker that a string ends with, because it was cut before, and what it counts. */
export function markerOf(value: string): readonly [marker: string, characters: number] {
  const [marker = '', before = 0] = /…\[\+(\d+) characters\]$/.exec(value.slice(-longestMarker)) ?? []
  return [marker, Number(before)]
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
