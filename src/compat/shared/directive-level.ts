import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { checkLevelVariable } from '../../platform/node/env.ts'
import { startLevelSources } from '../../platform/node/level-sources.ts'
import { candidatesFor, levelByDirectives, type Candidate } from '../../levels/candidates.ts'
import type { AttributeSource } from '../../levels/directive.ts'
import type { LevelChangeEvent, LevelLayer } from '../../levels/level-layer.ts'
import type { LevelReporter } from '../../levels/level-reporters.ts'
import { processLevelLayers, type LevelLayers } from '../../levels/level-layers.ts'
import type { LevelThresholds } from '../../levels/resolve-level.ts'
import { silentThreshold } from '../../record/severity.ts'
import { loggerNames, type LoggerName } from '../../levels/logger-names.ts'

/** What directives need of a logger with the API of another library. */
export interface DirectedLogger {
  /** Returns the name of the logger's own level. */
  level(): string
  /** Writes the record of a change, whatever the level of the logger. Returns whether it was written: false for one that is closed. */
  report(event: LevelChangeEvent): boolean
  /** Returns the severity number of a level; undefined if the logger has no such level. */
  severity(level: string): number | undefined
}

/** The directives of the process; undefined until the first logger is created. */
let layers: LevelLayers | undefined

/** Returns whether any level directives are set. */
export function areDirectivesSet(): boolean {
  return layers !== undefined && layers.layers.length > 0
}

/**
 * The level that directives set for a logger with the API of another library. The level of that library is not changed: a record is logged
 * if one of the two includes it.
 */
export class DirectiveLevel {
  private readonly name: LoggerName
  private cachedLayers: readonly LevelLayer[] | undefined
  private candidates: readonly Candidate[] = []
  /** The lowest severity that any of the candidates includes. */
  private lowestThreshold = Infinity

  private readonly levels: LevelThresholds
  /** It is held here, because the process holds it weakly. */
  private reporter: LevelReporter | undefined

  constructor(name: string, logger: DirectedLogger) {
    layers ??= processLevelLayers()
    this.levels = { threshold: (level) => (level === 'silent' ? silentThreshold : logger.severity(level)) }
    const level = {
      get codeName() {
        return logger.level()
      },
      levels: this.levels,
      ownDirectives: [],
      isMinimum: true,
    }
    this.name = loggerNames().get(name, level)
  }

  /** Reads the directives of the environment, with the levels that were added, and lets the logger write the records of changes. */
  start({ report }: DirectedLogger, levels: readonly string[], reportDiagnostic: OnDiagnostic): void {
    checkLevelVariable(reportDiagnostic, levels)
    startLevelSources(reportDiagnostic)
    this.reporter = { report }
    layers!.reporters.add(this.reporter)
  }

  /** Adds levels that directives can name. Call it whenever the levels of the logger change. */
  addLevelNames(names: Iterable<string>): void {
    layers!.addCustomLevels(names)
    this.cachedLayers = undefined
  }

  /** Returns the level that directives set for a child with levels of its own. */
  forChild(logger: DirectedLogger): DirectiveLevel {
    return new DirectiveLevel(this.name.name, logger)
  }

  /** Returns whether directives include a severity for some records. Fast, so that callers need not prepare attributes in vain. */
  mayInclude(severity: number): boolean {
    if (layers!.layers !== this.cachedLayers) {
      this.candidates = candidatesFor(this.name.name, this.levels)
      this.lowestThreshold = Math.min(...this.candidates.map(({ level }) => level.threshold))
      this.cachedLayers = layers!.layers
    }
    return severity >= this.lowestThreshold
  }

  /** Returns whether directives include a severity for records with the attributes of `source`. */
  includes(severity: number, source: AttributeSource): boolean {
    if (!this.mayInclude(severity)) return false
    const level = levelByDirectives(this.candidates, source)
    return level !== undefined && severity >= level.threshold
  }
}
