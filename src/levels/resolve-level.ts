import { levelSynonym } from '../record/level-names.ts'

/** The names of levels that directives can have. */
export interface LevelNames {
  readonly names: readonly string[]
  /** Returns whether there is a level of this name; also `true` for `silent`. */
  has(name: string): boolean
}

/** The levels of a logger. */
export interface LevelThresholds {
  /** Returns the lowest severity number that is logged at a level; undefined if there is no such level. */
  threshold(name: string): number | undefined
}

/** A level of a logger: its name, and the lowest severity number that is logged. */
export interface ResolvedLevel {
  readonly name: string
  readonly threshold: number
}

/** Returns the names that a level can have for which a text was written: as it is, in lower case, and that of a standard level. */
function namesFor(text: string): readonly string[] {
  const lowerCase = text.toLowerCase()
  return [text, lowerCase, levelSynonym(lowerCase) ?? lowerCase]
}

/** Returns whether a text in a directive is the name of a level. */
export function isKnownLevel(text: string, levels: LevelNames): boolean {
  return namesFor(text).some((name) => levels.has(name))
}

/** Returns the level of a logger for a text in a directive; undefined if the logger has no such level. */
export function resolveLevel(text: string, levels: LevelThresholds): ResolvedLevel | undefined {
  for (const name of namesFor(text)) {
    const threshold = levels.threshold(name)
    if (threshold !== undefined) return { name, threshold }
  }
  return undefined
}
