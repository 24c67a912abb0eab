import { Resolver } from '../encode/walk/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import type { BoundNames } from '../record/bound-names.ts'
import { BoundState, type BoundOrigin } from '../record/bound.ts'
import type { Rules } from '../values/record-rules.ts'
import type { LoggerCore } from './logger-core.ts'
import { InheritedLevel } from './levels.ts'

/** The part of a logger's state that children without rules of their own share. */
export interface LoggerSettings {
  readonly core: LoggerCore
  readonly handler: RecordHandler
  readonly rules: Rules
  readonly resolver: Resolver
  /** Returns the span that records belong to; undefined where they carry no trace. */
  readonly span: LoggerCore['activeSpan']
  /** What logger objects inherit from: the members of loggers. */
  readonly prototype: object
}

/** The state of one logger. It extends the bound state, because a child per request is common: one object less. */
export class LoggerState extends BoundState {
  readonly settings: LoggerSettings
  /** The level of this logger, or that of its nearest ancestor with one. */
  level: InheritedLevel
  /** Whether `level` is of this logger. */
  private hasLevel: boolean
  /** The members that have been used, by their index. */
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

  /** The level that children inherit. It is created here, so that they follow when this logger's level is set later. */
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
