import { candidatesFor } from './candidates.ts'
import type { ResolvedLevel } from './resolve-level.ts'
import { loggerNames, type NamedLevel } from './logger-names.ts'

/** The level of the loggers of a name. */
export interface LoggerLevel {
  /** The name, `''` for loggers without one. */
  readonly name: string
  /** The level that directives determine together with the level set in code, for records that no predicate matches. */
  readonly level: string
  /** The level that was set in code for the logger that was created last with the name. */
  readonly configuredLevel: string
  /** Whether directives with predicates can apply, so that the level of a record depends on its attributes. */
  readonly dependsOnRecord: boolean
}

/** Returns the levels of the loggers in use, in alphabetical order of their names. */
export function levelsOfNames(): LoggerLevel[] {
  return loggerNames()
    .inUse()
    .map(({ name, level }) => {
      const candidates = candidatesFor(name, level.levels, level.ownDirectives)
      // Those after it apply only when its layer expires.
      const index = candidates.findIndex(({ directive }) => directive.predicates.length === 0)
      const current = index < 0 ? candidates : candidates.slice(0, index + 1)
      const directed = candidates[index]?.level
      return {
        name,
        level: directed !== undefined && canSet(directed, level) ? directed.name : level.codeName,
        configuredLevel: level.codeName,
        dependsOnRecord:
          current.some(({ directive }) => directive.predicates.length > 0) &&
          current.some((candidate) => canSet(candidate.level, level)),
      }
    })
}

/** Returns whether a directive can set a level for loggers. Some loggers only apply those that are more verbose than their own. */
function canSet({ threshold }: ResolvedLevel, { isMinimum, levels, codeName }: NamedLevel): boolean {
  return !isMinimum || threshold < (levels.threshold(codeName) ?? Infinity)
}
