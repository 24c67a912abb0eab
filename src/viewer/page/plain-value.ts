import type { Value } from './server-types.ts'

/** Returns a value as text, objects as JSON. */
export function plainText(value: Value): string {
  if (typeof value === 'string') return value
  if (value !== null && typeof value === 'object' && value.kind !== 'map' && value.kind !== 'list') return value.text
  return JSON.stringify(plainValue(value)) ?? ''
}

/** Returns a value without the notation of the server. */
export function plainValue(value: Value): unknown {
  if (value === null || typeof value !== 'object') return value
  if (value.kind === 'list') return value.items.map(plainValue)
  // Entries can have any key, also __proto__.
  if (value.kind === 'map') return Object.fromEntries(value.entries.map(([key, item]) => [key, plainValue(item)]))
  return value.text
}
