import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { startLevelSources } from '../../platform/node/level-sources.ts'
import { applicableDirective, candidatesFor, type Candidate } from '../../levels/candidates.ts'
import type { AttributeSource } from '../../levels/directive.ts'
import type { LevelLayer } from '../../levels/level-layer.ts'
import { processLevelLayers, type LevelLayers } from '../../levels/level-layers.ts'
import { loggerNames, type LoggerName } from '../../levels/logger-names.ts'

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

  /** @param levelOf - returns the name of the logger's own level */
  constructor(name: string, levelOf: () => string, reportDiagnostic: OnDiagnostic) {
    layers ??= processLevelLayers()
    startLevelSources(reportDiagnostic)
    const level = {
      get codeName() {
        return levelOf()
      },
      ownDirectives: [],
    }
    this.name = loggerNames().get(name, level)
  }

  /** Returns whether directives include a severity for records with the attributes of `source`. */
  includes(severity: number, source: AttributeSource): boolean {
    if (layers!.layers !== this.cachedLayers) {
      this.candidates = candidatesFor(this.name.name)
      this.cachedLayers = layers!.layers
    }
    const directive = applicableDirective(this.candidates, source)
    return directive !== undefined && severity >= directive.threshold
  }
}
