import { objectPrototypeNames } from '../record/object-prototype-names.ts'
import { standardSeverities, silentThreshold } from '../record/severity.ts'

/** The levels of a root logger and its children: the standard ones and custom ones. */
export class Levels {
  /** The severity number of each level, in the order of definition. */
  readonly severities: ReadonlyMap<string, number>

  constructor(custom: Readonly<Record<string, number>> = {}) {
    this.severities = new Map([...Object.entries(standardSeverities), ...Object.entries(custom)])
  }

  get names(): readonly string[] {
    return [...this.severities.keys()]
  }

  /** Returns the lowest severity number that is logged at the level `name`; undefined if there is no such level. */
  threshold(name: string): number | undefined {
    return name === 'silent' ? silentThreshold : this.severities.get(name)
  }
}

/** Counts how often the level of any logger was set. */
const levelChanges = { count: 0 }

/**
 * The level of one logger: its own if it is set, otherwise its parent's current level. A level refers to that of the parent, so that
 * a change also applies to existing children, and no list of children keeps these from being garbage collected.
 */
export class InheritedLevel {
  private readonly parent: InheritedLevel | undefined
  private ownLevel: { readonly name: string; readonly threshold: number } | undefined
  /**
   * The last computed threshold, and `levelChanges.count` at that time, or -1 if none was computed yet. With this cache, a disabled call
   * costs only one comparison more than with a fixed threshold.
   */
  private cachedThreshold = 0
  private cachedAtCount = -1

  constructor(parent: InheritedLevel | undefined, ownLevel?: { readonly name: string; readonly threshold: number }) {
    this.parent = parent
    this.ownLevel = ownLevel
  }

  get threshold(): number {
    return this.cachedAtCount === levelChanges.count ? this.cachedThreshold : this.computeThreshold()
  }

  get name(): string {
    return this.ownLevel !== undefined ? this.ownLevel.name : this.parent!.name
  }

  set(name: string, threshold: number): void {
    this.ownLevel = { name, threshold }
    levelChanges.count++
  }

  private computeThreshold(): number {
    this.cachedThreshold = this.ownLevel !== undefined ? this.ownLevel.threshold : this.parent!.threshold
    this.cachedAtCount = levelChanges.count
    return this.cachedThreshold
  }
}

/** The names of the members that every logger has, besides its log methods. */
export const commonMemberNames = [
  'level',
  'isLevelEnabled',
  'child',
  'flush',
  'flushSync',
  'stats',
  'shutdown',
] as const

/** Names that a custom level cannot have: `silent`, other members of a logger, and `then`, with which a logger would look like a promise. */
const reservedLevelNames: ReadonlySet<string> = new Set(['silent', ...commonMemberNames, 'then'])

/** Returns whether a level of this name can be a method of a logger. */
export function isLevelMethodName(name: string): boolean {
  return /^[a-z_$][\w$]*$/i.test(name) && !reservedLevelNames.has(name) && !objectPrototypeNames.has(name)
}
