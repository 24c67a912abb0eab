import { nearestName } from '../../options/nearest-name.ts'
import { levelSynonym } from '../../record/level-names.ts'
import { standardLevels, standardSeverities, type StandardLevel } from '../../record/severity.ts'
import { UsageError } from './usage-error.ts'

/**
 * Returns the lowest severity number of a level.
 *
 * @param text - the name of a level, of this or of another logger, the beginning of a standard name, or a severity number
 * @throws UsageError for any other text.
 */
export function levelThreshold(text: string): number {
  const name = text.trim().toLowerCase()
  if (/^\d+$/.test(name)) {
    const number = Number(name)
    if (number >= 1 && number <= 24) return number
    throw new UsageError(`--level: severity numbers are 1 to 24, not ${text}`)
  }
  const level = standardLevels.find((known) => name !== '' && known.startsWith(name)) ?? levelSynonym(name)
  if (isStandardLevel(level)) return standardSeverities[level]
  const nearest = nearestName(name, standardLevels)
  const hint = nearest === undefined ? `use one of ${standardLevels.join(', ')}` : `did you mean ${nearest}?`
  throw new UsageError(`--level: unknown level '${text}'; ${hint}`)
}

function isStandardLevel(level: string | undefined): level is StandardLevel {
  return standardLevels.some((known) => known === level)
}
