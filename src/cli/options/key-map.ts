import { nearestName } from '../../options/nearest-name.ts'
import { mappableFields } from '../../read/formats/json.ts'
import { UsageError } from './usage-error.ts'

/**
 * Returns the keys from which fields are read.
 *
 * @param pairs - texts such as `level=severity`
 * @throws UsageError if a text is not a pair, or its field is unknown.
 */
export function keyMap(pairs: readonly string[]): ReadonlyMap<string, string> | undefined {
  const keys = new Map<string, string>()
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    if (equals < 1 || equals === pair.length - 1) {
      throw new UsageError(`--map: '${pair}' is not FIELD=KEY, such as level=severity`)
    }
    const field = pair.slice(0, equals).trim()
    if (!mappableFields.includes(field)) {
      const nearest = nearestName(field, mappableFields)
      const hint = nearest === undefined ? `use one of ${mappableFields.join(', ')}` : `did you mean ${nearest}?`
      throw new UsageError(`--map: unknown field '${field}'; ${hint}`)
    }
    keys.set(field, pair.slice(equals + 1).trim())
  }
  return keys.size === 0 ? undefined : keys
}
