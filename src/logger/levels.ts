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

  /** Returns whether there is a level of this name; also `true` for `silent`. */
  has(name: string): boolean {
    return this.threshold(name) !== undefined
  }

  /** Returns the lowest severity number that is logged at the level `name`; undefined if there is no such level. */
  threshold(name: string): number | undefined {
    return name === 'silent' ? silentThreshold : this.severities.get(name)
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
