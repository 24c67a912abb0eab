import { silentThreshold } from '../record/severity.ts'

/** Returns an array with a place for each severity number. In holes, a value on `Object.prototype` would be read. */
export function noneBySeverity(): undefined[] {
  return Array.from({ length: silentThreshold }, () => undefined)
}
