/** Returns whether a key is an array index of at most ten digits. Only paths match such keys. */
export function isArrayIndex(key: string): boolean {
  const first = key.charCodeAt(0)
  return first >= 48 && first <= 57 && /^(?:0|[1-9]\d{0,9})$/.test(key)
}
