import { withoutPrototype } from '../options/own-members.ts'
import { silentThreshold } from '../record/severity.ts'
import { appliesAlways, levelByDirectives, candidatesFor, type Candidate } from './candidates.ts'
import type { AttributeSource, Directive } from './directive.ts'
import { processLevelLayers, type LevelLayers } from './level-layers.ts'
import type { LevelThresholds, ResolvedLevel } from './resolve-level.ts'
import { loggerNames, type LoggerName, type NamedLevel } from './logger-names.ts'

/** What the levels of a root logger and its children have in common. */
export interface RootLevelSettings {
  readonly levels: LevelThresholds
  /** The directives of the root logger itself. */
  readonly directives: readonly Directive[]
  /** The lowest severity number that the flight recorder holds; Infinity without one. */
  readonly recorderThreshold: number
}

/** Counts how often the level of any logger was set, and how often directives have changed. Each copy of this package has its own. */
const levelChanges = { count: 0 }
let layers: LevelLayers | undefined

/**
 * The level of one logger: its own if it is set, otherwise its parent's current level; directives for the name of the logger override
 * both. A level refers to that of the parent, so that a change also applies to existing children, and no list of children keeps these
 * from being garbage collected.
 */
export class InheritedLevel implements NamedLevel {
  private readonly parent: InheritedLevel | undefined
  private ownLevel: ResolvedLevel | undefined
  /** The name by which directives select the logger; undefined if they do not apply to it. */
  private readonly name: LoggerName | undefined
  private readonly root: RootLevelSettings
  /**
   * The last computed thresholds, and `levelChanges.count` at that time, or -1 if none were computed yet. With this cache, a disabled
   * call costs only one comparison more than with a fixed threshold.
   */
  private cachedThreshold = 0
  private cachedCertainThreshold = 0
  private cachedCandidates: readonly Candidate[] = noCandidates
  private cachedAtCount = -1

  private constructor(
    parent: InheritedLevel | undefined,
    ownLevel: ResolvedLevel | undefined,
    name: string | undefined,
    root: RootLevelSettings,
  ) {
    this.parent = parent
    this.ownLevel = ownLevel
    this.root = root
    this.name = name === undefined ? parent?.name : loggerNames().get(name, this)
  }

  /**
   * Creates the level of a root logger.
   *
   * @param name - undefined for a logger to which directives do not apply
   */
  static ofRoot(level: ResolvedLevel, name: string | undefined, settings: GivenRootSettings): InheritedLevel {
    const { levels, directives = noDirectives, recorderThreshold = Infinity } = withoutPrototype(settings)
    if (layers === undefined) {
      layers = processLevelLayers()
      layers.counters.add(levelChanges)
    }
    return new InheritedLevel(undefined, level, name, { levels, directives, recorderThreshold })
  }

  /**
   * Creates the level of a child logger.
   *
   * @param name - the child's own name; undefined if it has that of its parent
   */
  child(ownLevel?: ResolvedLevel, name?: string): InheritedLevel {
    const ownName = this.name === undefined ? undefined : name
    return new InheritedLevel(this, ownLevel, ownName, this.root)
  }

  /** The lowest severity number that may be logged or recorded. Whether one below `certainThreshold` is logged depends on the record. */
  get threshold(): number {
    return this.cachedAtCount === levelChanges.count ? this.cachedThreshold : this.computeThresholds()
  }

  /** The severity number from which all records are logged. Read `threshold` first, which brings it up to date. */
  get certainThreshold(): number {
    return this.cachedCertainThreshold
  }

  /** The name of the level that was set in code. */
  get codeName(): string {
    return this.ownLevel !== undefined ? this.ownLevel.name : this.parent!.codeName
  }

  /** The levels of the root logger. */
  get levels(): LevelThresholds {
    return this.root.levels
  }

  /** The directives of the root logger itself. */
  get ownDirectives(): readonly Directive[] {
    return this.root.directives
  }

  /** Directives can also make the loggers of this package less verbose. */
  get isMinimum(): boolean {
    return false
  }

  set(name: string, threshold: number): void {
    this.ownLevel = { name, threshold }
    levelChanges.count++
  }

  /**
   * Returns whether a record is logged whose severity is at least `threshold`, but below `certainThreshold`.
   *
   * @param source - the attributes that the record would have
   */
  isEnabledFor(severity: number, source: AttributeSource): boolean {
    // An expired layer is removed by this call, which replaces `cachedCandidates`.
    const level = levelByDirectives(this.cachedCandidates, source)
    return severity >= (level === undefined ? this.codeThreshold() : level.threshold)
  }

  private computeThresholds(): number {
    const codeThreshold = this.codeThreshold()
    const { levels, directives, recorderThreshold } = this.root
    const candidates =
      this.name === undefined || (layers!.layers.length === 0 && directives.length === 0)
        ? noCandidates
        : candidatesFor(this.name.name, levels, directives)
    let lowest = Infinity
    let highest = -Infinity
    for (const { level } of candidates) {
      lowest = Math.min(lowest, level.threshold)
      highest = Math.max(highest, level.threshold)
    }
    const last = candidates.at(-1)
    // Without a directive that always applies, the level set in code can apply too.
    if (last === undefined || !appliesAlways(last)) {
      lowest = Math.min(lowest, codeThreshold)
      highest = Math.max(highest, codeThreshold)
    }
    this.cachedCandidates = candidates
    this.cachedCertainThreshold = highest
    // With the level `silent`, nothing is recorded either.
    this.cachedThreshold = lowest < silentThreshold ? Math.min(lowest, recorderThreshold) : lowest
    this.cachedAtCount = levelChanges.count
    return this.cachedThreshold
  }

  private codeThreshold(): number {
    return this.ownLevel !== undefined ? this.ownLevel.threshold : this.parent!.codeThreshold()
  }
}

type GivenRootSettings = Pick<RootLevelSettings, 'levels'> & Partial<RootLevelSettings>

const noCandidates: readonly Candidate[] = []
const noDirectives: readonly Directive[] = []
