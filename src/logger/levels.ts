import { severityOf, SILENT } from '../record/severity.ts'

/** The levels of a root logger and its children: the standard ones and custom ones. */
export class Levels {
  /** The severity number of each level, in the order of definition. */
  readonly severities: ReadonlyMap<string, number>

  constructor(custom: Readonly<Record<string, number>> = {}) {
    this.severities = new Map([...Object.entries(severityOf), ...Object.entries(custom)])
  }

  get names(): readonly string[] {
    return [...this.severities.keys()]
  }

  /** Returns the severity that a record needs at the level `name`; undefined if there is no such level. */
  threshold(name: string): number | undefined {
    return name === 'silent' ? SILENT : this.severities.get(name)
  }
}

/** Counts how often the level of any logger was set. */
const levels = { changes: 0 }

/**
 * The level of one logger: its own if it is set, otherwise its parent's current level. Loggers refer to their parent, so that a
 * change reaches children created before it, and no list of children keeps them alive.
 */
export class InheritedLevel {
  private readonly parent: InheritedLevel | undefined
  private own: { readonly name: string; readonly threshold: number } | undefined
  /**
   * The last computed threshold, and the count of changes at that time. The cache costs a disabled call one comparison more than
   * a fixed threshold.
   */
  private cached = 0
  private cachedAt = -1

  constructor(parent: InheritedLevel | undefined, own?: { readonly name: string; readonly threshold: number }) {
    this.parent = parent
    this.own = own
  }

  get threshold(): number {
    return this.cachedAt === levels.changes ? this.cached : this.find()
  }

  get name(): string {
    return this.own !== undefined ? this.own.name : this.parent!.name
  }

  set(name: string, threshold: number): void {
    this.own = { name, threshold }
    levels.changes++
  }

  private find(): number {
    this.cached = this.own !== undefined ? this.own.threshold : this.parent!.threshold
    this.cachedAt = levels.changes
    return this.cached
  }
}
