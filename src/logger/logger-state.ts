import { Resolver } from '../encode/walk/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import type { BoundNames } from '../record/bound-names.ts'
import type { AnyValue } from '../record/any-value.ts'
import { BoundState, type BoundOrigin } from '../record/bound.ts'
import type { Scope } from '../record/instrumentation-source.ts'
import { withContextAttributes } from './context-attributes.ts'
import type { Rules } from '../values/record-rules.ts'
import { isRecorded, type LoggerCoreState } from './logger-core.ts'
import type { InheritedLevel } from '../levels/inherited-level.ts'
import type { AttributeSource } from '../levels/directive.ts'

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
  /** The settings of children with a name of their own, by that name. Undefined until the first such child is created. */
  namedSettings: Map<string, NamedSettings> | undefined
}

/** The settings and the scope that children with the same name share. */
export interface NamedSettings {
  readonly settings: LoggerSettings
  readonly scope: Scope
}

/** The state of one logger. It extends the bound state to save one object, because one child per request is common. */
export class LoggerState extends BoundState implements AttributeSource {
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

  /** Returns whether a record of this severity would be written, or held by the flight recorder. */
  isEnabled(severity: number): boolean {
    const { level } = this
    if (severity < level.threshold) return false
    if (severity >= level.certainThreshold || level.isEnabledFor(severity, this)) return true
    return isRecorded(this.settings.core.recorder, severity)
  }

  /**
   * Returns the value that an attribute would have in a record that is logged now, without those of the log call: the attributes of
   * the context have precedence over those of the logger, and both over baggage.
   */
  attributeOf(key: string): AnyValue | undefined {
    const { core, currentSpan } = this.settings
    if (key === 'trace_id' || key === 'span_id') {
      const span = currentSpan?.()
      if (span !== undefined) return key === 'trace_id' ? span.traceId : span.spanId
    }
    const contextAttributes = core.contextAttributes()
    const { resolver, rules } = this.settings
    // Redacted by the rules of this logger, like the attributes of a record.
    const bound: BoundState =
      contextAttributes === undefined
        ? this
        : withContextAttributes(this, contextAttributes, resolver, rules.limits.attributes)
    const value = bound.valueOfKey(key)
    if (value !== undefined) return value
    const entry = core.baggageEntry(key, this.context)
    return entry === undefined ? undefined : resolver.snapshot({ [key]: entry }).values[0]
  }

  private createOwnLevel(): void {
    this.level = this.level.child()
    this.hasOwnLevel = true
  }
}
