import type { Rules } from '../values/record-rules.ts'
import type { Levels } from './levels.ts'
import type { ChildOptions } from './types.ts'

/**
 * Adapts the children that a framework creates as if the logger belonged to another library. The composition root injects it, so
 * that loggers do not depend on a framework.
 */
export interface ChildAdapter {
  /** Returns the options of any child in the form in which they are checked. Never throws. */
  normalize(options: ChildOptions): ChildOptions
  /** Returns whether the options of a child are those of a framework. */
  isFramework(options: object): boolean
  /** Returns the options of a framework without those that are not for the logger. */
  withoutFrameworkOptions(options: ChildOptions, parent: Rules): ChildOptions
  /** Creates an object with the members that a framework reads from its children, next to those of a logger. */
  prototype(levels: Levels): object
}
