import { Resolver } from '../encode/walk/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import type { BoundNames } from '../record/bound-names.ts'
import { BoundState, type BoundOrigin } from '../record/bound.ts'
import type { Rules } from '../values/record-rules.ts'
import type { LoggerCoreState } from './logger-core.ts'
import { InheritedLevel } from './levels.ts'

/** The part of a logger's state that it shares with children, unless these have their own rules or context, or belong to a framework. */
export interface LoggerSettings {
  readonly core: LoggerCoreState
  readonly handler: RecordHandler
  readonly rules: Rules
  readonly resolver: Resolver
  /** Returns the span of a new record; undefined if records carry no trace. */
  readonly currentSpan: LoggerCoreState['activeSpan']
  /** The prototype of logger objects, with the members of loggers. */
  readonly prototype: object
}

/** The state of one logger. It extends the bound state to save one object, because one child per request is common. */
export class LoggerState extends BoundState {
  readonly settings: LoggerSettings
  /** The level of this logger, or of its nearest ancestor with a level. */
  level: InheritedLevel
  /** Whether `level` belongs to this logger and not to an ancestor. */
  private hasOwnLevel: boolean
  /** The functions of members that have been read so far, by the index of the member. */
  members: unknown[] | undefined

  constructor(
    settings: LoggerSettings,
    parent: BoundState | undefined,
    origin: BoundOrigin,
    names: BoundNames,
    values: BoundState['values'],
    level: InheritedLevel,
    hasOwnLevel: boolean,
  ) {
    super(origin, parent, names, values)
    this.settings = settings
    this.level = level
    this.hasOwnLevel = hasOwnLevel
    this.members = undefined
  }

  /**
   * Returns the level that children inherit: this logger's own, which is created if it is missing, so that a later change of this logger's
   * level also applies to the children.
   */
  levelForChildren(): InheritedLevel {
    if (!this.hasOwnLevel) this.createOwnLevel()
    return this.level
  }

  setLevel(name: string, threshold: number): void {
    if (!this.hasOwnLevel) this.createOwnLevel()
    this.level.set(name, threshold)
  }

  private createOwnLevel(): void {
    this.level = new InheritedLevel(this.level)
    this.hasOwnLevel = true
  }
}
