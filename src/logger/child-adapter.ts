import type { Rules } from '../values/record-rules.ts'
import type { Levels } from './levels.ts'
import type { ChildOptions } from './types.ts'

/**
 * Adapts the children that a framework creates as if the logger were one of pino. The composition root injects it, so
 * that loggers do not depend on a framework.
 */
export interface ChildAdapter {
  /** Returns the options of any child, of a framework or not, in the form in which they are checked. Never throws. */
  normalize(options: ChildOptions): ChildOptions
  /** Returns whether the options of a child are those that a framework passes. */
  areFrameworkOptions(options: object): boolean
  /**
   * Returns the options of a framework without those that are not for the logger.
   *
   * @param parent - the rules of the parent logger
   */
  withoutFrameworkOptions(options: ChildOptions, parent: Rules): ChildOptions
  /** Creates the prototype of loggers for a framework, with the members that it reads in addition to those of a logger. */
  createPrototype(levels: Levels): object
}
