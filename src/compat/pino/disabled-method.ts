import type { AttributeSource } from '../../levels/directive.ts'
import { sharedContextStorage } from '../../platform/node/with-context.ts'
import type { AnyValue } from '../../record/any-value.ts'
import { areDirectivesSet } from '../shared/directive-level.ts'
import { stateSym, type Instance, type LogMethod } from './instance.ts'
import { severityOf } from './levels.ts'
import { createLogMethod } from './log-method.ts'
import { chindingsSym } from './symbols.ts'

/** Creates the log method of a disabled level, which logs if level directives include the level. */
export function createDisabledMethod(owner: Instance, level: number): LogMethod {
  return function LOG() {
    if (!areDirectivesSet()) return
    const logger = this ?? owner
    // The arguments are not a rest parameter, which would create an array in each disabled call.
    // oxlint-disable-next-line prefer-rest-params
    if (isEnabledByDirectives(logger, level)) createLogMethod(owner, level).apply(logger, [...arguments] as unknown[])
  }
}

/** Returns whether level directives include a level of a logger. */
export function isEnabledByDirectives(logger: Instance, level: number): boolean {
  if (!areDirectivesSet()) return false
  try {
    const source = new BindingsSource(logger[chindingsSym])
    return logger[stateSym].directiveLevel.includes(severityOf(level), source)
  } catch {
    return false // `this` is not a logger
  }
}

/** The attributes by which directives select the records of a logger: its bindings, and those of `withContext`. */
class BindingsSource implements AttributeSource {
  private readonly bindingsText: string
  private bindings: Readonly<Record<string, unknown>> | undefined

  constructor(bindingsText: string) {
    this.bindingsText = bindingsText
  }

  attributeOf(key: string): AnyValue | undefined {
    this.bindings ??= JSON.parse(`{${this.bindingsText.slice(1)}}`) as Record<string, unknown>
    const bound = Object.hasOwn(this.bindings, key) ? this.bindings[key] : undefined
    const isText = typeof bound === 'string' || typeof bound === 'number' || typeof bound === 'boolean'
    return isText ? bound : sharedContextStorage().get()?.bound.valueOfKey(key)
  }
}
