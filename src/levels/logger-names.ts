import { define } from '../options/define-member.ts'
import type { Directive } from './directive.ts'
import type { LevelThresholds } from './resolve-level.ts'

/** The level that was set in code for the loggers of a name. */
export interface NamedLevel {
  readonly codeName: string
  /** The levels of its root logger. */
  readonly levels: LevelThresholds
  /** The directives of its root logger itself. */
  readonly ownDirectives: readonly Directive[]
  /** Whether directives can only make the logger more verbose. */
  readonly isMinimum: boolean
}

/** A name of loggers that are in use. All loggers with the name hold it, so it is garbage collected after the last of them. */
export interface LoggerName {
  readonly name: string
  /** The level of the logger that was created last with the name. */
  level: NamedLevel
}

const namesKey = Symbol.for('sluice/v1/logger-names')

/** The names in use, each held weakly, so that names that are generated at run time do not leak memory. */
class LoggerNames {
  private readonly names = new Map<string, WeakRef<LoggerName>>()
  private readonly collectedNames = new FinalizationRegistry<string>((name) => {
    // A new logger may have been created with the same name.
    if (this.names.get(name)?.deref() === undefined) this.names.delete(name)
  })

  get(name: string, level: NamedLevel): LoggerName {
    const existing = this.names.get(name)?.deref()
    if (existing !== undefined) {
      existing.level = level
      return existing
    }
    const loggerName: LoggerName = { name, level }
    this.names.set(name, new WeakRef(loggerName))
    this.collectedNames.register(loggerName, name)
    return loggerName
  }

  /** Returns the names in use, in alphabetical order. */
  inUse(): LoggerName[] {
    const inUse = [...this.names.values()].map((name) => name.deref()).filter((name) => name !== undefined)
    return inUse.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
}

/** Returns the names of loggers in this process. All copies of this package share them. */
export function loggerNames(): LoggerNames {
  const shared = globalThis as { [namesKey]?: LoggerNames }
  if (shared[namesKey] === undefined) define(shared, namesKey, { value: new LoggerNames() })
  return shared[namesKey]!
}
