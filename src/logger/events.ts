import { foreignEventOptionNames } from '../options/foreign-logger-names.ts'
import { levelSynonymsIn } from '../record/level-names.ts'
import { checkOptions, anything, choice, text } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { standardSeverities, standardLevels, type StandardLevel } from '../record/severity.ts'
import type { TemplateNames } from './log-method.ts'
import type { Logger } from './types.ts'
import { addMembers } from '../options/define-member.ts'

/** The key of a logger's function that emits events. All copies of this package in a process use the same key. */
export const eventKey: unique symbol = Symbol.for('sluice/v1/event') as never

/** The definition of an event as loggers receive it. */
export interface EventDefinition {
  readonly name: string
  readonly level: StandardLevel
  readonly severity: number
  readonly message: string | undefined
}

/** Emits an occurrence of an event. Never throws. */
export type EmitEvent = (definition: EventDefinition, attributes: object | undefined, error: unknown) => void

/** A defined event. Calling it logs a record of the event; it never throws. */
export interface DefinedEvent<A extends object> {
  /**
   * Logs an occurrence of the event.
   *
   * @param log - logger that writes the record
   * @param attributes - attributes of the occurrence
   * @param error - cause of a failure: becomes the record's exception, and its type the attribute `error.type`
   */
  (log: Logger, ...args: object extends A ? [attributes?: A, error?: unknown] : [attributes: A, error?: unknown]): void
  /** The name of the event, `otel.event.name` in lines. */
  readonly eventName: string
  /** The level of its records. */
  readonly level: StandardLevel
}

/** Options of an event. */
export interface EventOptions<A extends object, M extends string> {
  /**
   * The type of the attributes, used only by the compiler: `types: {} as { attributes: OrderPlaced }`.
   *
   * @defaultValue attributes of any type
   */
  readonly types?: { readonly attributes?: A }
  /**
   * The level of its records.
   *
   * @defaultValue `info`
   */
  readonly level?: StandardLevel
  /**
   * The human-readable message. Names in braces are replaced by attributes.
   *
   * @defaultValue no message; the record has only the event name
   */
  readonly message?: TemplateNames<M> extends keyof A
    ? M
    : `{${Exclude<TemplateNames<M>, keyof A>}} is not an attribute of the event's types`
}

/**
 * Defines an OpenTelemetry event: a record with a fixed name, whose attributes describe what happened, and which can be searched
 * by that name. The name has no dynamic parts, and its dots lead from the general to the specific, as in `order.placed`.
 *
 * @throws ConfigurationError if the name is empty or longer than 256 characters, or an option is invalid
 *
 * @example
 * ```ts
 * const orderPlaced = defineEvent('order.placed', {
 *   types: {} as { attributes: { orderId: string; total: number } },
 *   message: 'order {orderId} placed',
 * })
 * orderPlaced(log, { orderId: 'o-17', total: 12.5 })
 * ```
 */
export function defineEvent<A extends object, const M extends string = never>(
  name: string,
  options: EventOptions<A, M> = {},
): DefinedEvent<A> {
  const problems: ConfigurationProblem[] = []
  const checkedOptions = copyOptions(options, '', problems, [], { 'a string': "defineEvent(name, { message: '…' })" })
  const problemsBefore = problems.length
  text(/^[\s\S]{1,256}$/, 'have 1 to 256 characters')(name, 'name', problems)
  if (problems.length > problemsBefore) {
    const nameProblem = problems.pop()!
    problems.push({ ...nameProblem, message: `${nameProblem.message}; write defineEvent('order.placed')` })
  }
  checkOptions(
    checkedOptions,
    { types: anything, level: choice(standardLevels, levelSynonymsIn(standardLevels)), message: text() },
    '',
    problems,
    foreignEventOptionNames,
  )
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'defineEvent')
  const { level = 'info', message } = checkedOptions
  const definition: EventDefinition = { name, level, severity: standardSeverities[level], message }
  const event = (log: Logger, attributes?: A, error?: unknown) => emitTo(log, definition, attributes, error)
  return addMembers(event, { eventName: name, level })
}

function emitTo(log: Logger, definition: EventDefinition, attributes: object | undefined, error: unknown): void {
  try {
    const { [eventKey]: emitEvent } = log as { [eventKey]?: EmitEvent }
    // The logger of another library does not support events: it receives a record with the event name as an attribute.
    if (emitEvent !== undefined) emitEvent(definition, attributes, error)
    else {
      const attributesAndError = { ...attributes, ...(error !== undefined && { err: error }) }
      const fields = { 'otel.event.name': definition.name, ...attributesAndError }
      // The log method may be asynchronous.
      ignoreRejection(log[definition.level](fields, definition.message))
    }
  } catch {
    // The stack is exhausted, or `log` is not a logger.
  }
}
