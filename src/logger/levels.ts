import { severityOf, SILENT } from '../record/severity.ts'

/** The levels of a logger family: the standard ones and its own. */
export class Levels {
  /** The severity number of each level, in the order of their definition. */
  readonly severities: ReadonlyMap<string, number>

  constructor(custom: Readonly<Record<string, number>> = {}) {
    this.severities = new Map([...Object.entries(severityOf), ...Object.entries(custom)])
  }

  get names(): readonly string[] {
    return [...this.severities.keys()]
  }

  /** The severity a record must have to pass where `name` is the level; undefined if there is no such level. */
  threshold(name: string): number | undefined {
    return name === 'silent' ? SILENT : this.severities.get(name)
  }
}

/** How often the level of any logger was set. */
const levels = { changes: 0 }

/**
 * The level of one logger: its own, else its parent's, whatever that is at the moment. A chain and no copy, so that a
 * change reaches children that were made before, and no list of children keeps them alive.
 */
export class InheritedLevel {
  private readonly parent: InheritedLevel | undefined
  private own: { readonly name: string; readonly threshold: number } | undefined
  /** The threshold found last, and the count of changes at that time: a disabled call costs one comparison more. */
  private found = 0
  private foundAt = -1

  constructor(parent: InheritedLevel | undefined, own?: { readonly name: string; readonly threshold: number }) {
    this.parent = parent
    this.own = own
  }

  get threshold(): number {
    return this.foundAt === levels.changes ? this.found : this.find()
  }

  get name(): string {
    return this.own !== undefined ? this.own.name : this.parent!.name
  }

  set(name: string, threshold: number): void {
    this.own = { name, threshold }
    levels.changes++
  }

  private find(): number {
    this.found = this.own !== undefined ? this.own.threshold : this.parent!.threshold
    this.foundAt = levels.changes
    return this.found
  }
}
