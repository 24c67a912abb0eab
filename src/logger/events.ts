import { checkOptions, anything, choice, text } from '../options/option-checks.ts'
import { ownOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { severityOf, standardLevels, type StandardLevel } from '../record/severity.ts'
import type { TemplateNames } from './log-method.ts'
import type { Logger } from './types.ts'
import { addMembers } from '../options/define-member.ts'

/** Where every logger of this package has its way to say an event; loggers of other copies are asked by the same key. */
export const eventKey: unique symbol = Symbol.for('sluice/v1/event') as never

/** An event as a logger needs to know it. */
export interface EventKind {
  readonly name: string
  readonly level: StandardLevel
  readonly severity: number
  readonly message: string | undefined
}

/** What loggers do with an event. Never throws. */
export type EmitEvent = (kind: EventKind, attributes: object | undefined, error: unknown) => void

/** A defined event. Calling it logs a record that is one; never throws. */
export interface DefinedEvent<A extends object> {
  /**
   * Logs that it has happened.
   *
   * @param log - who says it
   * @param attributes - what it says
   * @param error - why it failed: becomes the record's exception, and its type the attribute `error.type`
   */
  (log: Logger, ...said: object extends A ? [attributes?: A, error?: unknown] : [attributes: A, error?: unknown]): void
  /** The name of the event, `otel.event.name` in lines. */
  readonly eventName: string
  /** The level of its records. */
  readonly level: StandardLevel
}

/** What an event is besides its name. */
export interface EventOptions<A extends object, M extends string> {
  /** For the compiler only: what each occurrence says. `types: {} as { attributes: OrderPlaced }`. */
  readonly types?: { readonly attributes?: A }
  /** Default `info`. */
  readonly level?: StandardLevel
  /** What is shown to people; names in braces are attributes. Default: none, the name says it all. */
  readonly message?: TemplateNames<M> extends keyof A ? M : never
}

/**
 * Defines an event of OpenTelemetry (EVT1): a record with a name that is known beforehand, says what has happened by its
 * attributes, and is found by that name. The name has no dynamic parts; dots lead from the general to the special, as in
 * `order.placed`.
 *
 * @throws ConfigurationError when the name is empty or longer than 256 characters, or an option is wrong.
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
  const own = ownOptions(options, '', problems)
  text(/^[\s\S]{1,256}$/, 'have 1 to 256 characters')(name, 'name', problems)
  checkOptions(own, { types: anything, level: choice(standardLevels), message: text() }, '', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const { level = 'info', message } = own
  const kind: EventKind = { name, level, severity: severityOf[level], message }
  const event = (log: Logger, attributes?: A, error?: unknown) => say(log, kind, attributes, error)
  return addMembers(event, { eventName: name, level })
}

function say(log: Logger, kind: EventKind, attributes: object | undefined, error: unknown): void {
  try {
    const { [eventKey]: own } = log as { [eventKey]?: EmitEvent }
    // Somebody else's logger knows no events: there it is a record with the name among its attributes.
    if (own !== undefined) own(kind, attributes, error)
    else
      log[kind.level](
        { 'otel.event.name': kind.name, ...attributes, ...(error !== undefined && { err: error }) },
        kind.message,
      )
  } catch {
    // an exhausted stack, or a logger that is none
  }
}
