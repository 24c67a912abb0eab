import { Resolver } from '../encode/walk/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import type { BoundNames } from '../record/bound-names.ts'
import { BoundState, type BoundOrigin } from '../record/bound.ts'
import type { Rules } from '../values/record-rules.ts'
import type { LoggerCore } from './logger-core.ts'
import { InheritedLevel } from './levels.ts'

/** The part of a logger's state that it shares with children without rules of their own. */
export interface LoggerSettings {
  readonly core: LoggerCore
  readonly handler: RecordHandler
  readonly rules: Rules
  readonly resolver: Resolver
  /** Returns the span that records belong to; undefined if records carry no trace. */
  readonly span: LoggerCore['activeSpan']
  /** The prototype of logger objects, with the members of loggers. */
  readonly prototype: object
}

/** The state of one logger. It extends the bound state to save one object, because one child per request is common. */
export class LoggerState extends BoundState {
  readonly settings: LoggerSettings
  /** The level of this logger, or of its nearest ancestor with a level. */
  level: InheritedLevel
  /** Whether `level` belongs to this logger. */
  private hasLevel: boolean
  /** The members that have been read so far, by their index. */
  members: unknown[] | undefined

  constructor(
    settings: LoggerSettings,
    parent: BoundState | undefined,
    origin: BoundOrigin,
    names: BoundNames,
    values: BoundState['values'],
    level: InheritedLevel,
    hasLevel: boolean,
  ) {
    super(origin, parent, names, values)
    this.settings = settings
    this.level = level
    this.hasLevel = hasLevel
    this.members = undefined
  }

  /**
   * Returns the level that children inherit. It is created here, so that children follow when this logger's level is set later.
   */
  levelForChildren(): InheritedLevel {
    if (!this.hasLevel) this.ownLevel()
    return this.level
  }

  setLevel(name: string, threshold: number): void {
    if (!this.hasLevel) this.ownLevel()
    this.level.set(name, threshold)
  }

  private ownLevel(): void {
    this.level = new InheritedLevel(this.level)
    this.hasLevel = true
  }
}
