import { CombinedStates, contextState, type ContextAttributes } from '../logger/context-attributes.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import type { BoundState } from '../record/bound.ts'
import { sharedContextStorage, contextWith } from '../platform/node/with-context.ts'
import type { CurrentRequestHolder } from './current-request.ts'
import type { HttpRequest } from './exchange.ts'
import type { Fields } from './fields.ts'
import type { Settings } from './settings.ts'
import { knownMethods } from './semantic-conventions.ts'
import type { OptionErrors } from './option-errors.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** The attributes that are added to all records logged while a request is handled: those known when the request arrives. */
export class RequestContext implements ContextAttributes {
  readonly id: string
  readonly combinedStates: CombinedStates = new CombinedStates()
  readonly request: CurrentRequestHolder
  readonly #method: string
  readonly #path: string
  /** The context in which the request arrived, with the attributes of the option `attributes`; undefined if there is neither. */
  readonly #outer: ContextAttributes | undefined
  #bound: BoundState | undefined

  constructor(
    holder: CurrentRequestHolder & { readonly id: string },
    request: HttpRequest,
    path: string,
    settings: Settings,
    optionErrors: OptionErrors,
  ) {
    const { method } = request
    this.request = holder
    this.id = holder.id
    this.#method = knownMethods.has(method) ? method : '_OTHER'
    this.#path = path
    const userAttributes = userAttributesOf(request, settings, optionErrors)
    this.#outer = userAttributes === undefined ? sharedContextStorage().get() : contextWith(userAttributes)
  }

  /** Created on first use, because most requests are handled without a log call. */
  get bound(): BoundState {
    return (this.#bound ??= contextState(this.#outer?.bound, {
      names: requestAttributeNames,
      keys: undefined,
      values: [this.id, this.#method, this.#path],
      shape: requestAttributeNames,
      droppedCount: 0,
    }))
  }

  get attributes(): AnyValueMap {
    return this.bound.attributes
  }

  /**
   * Returns whether there is an attribute of this name that `set` overrides: one of the option `attributes` or of a context around the
   * request.
   */
  hasOverridableAttribute(name: string): boolean {
    return this.#outer?.bound.attributes.has(name) === true
  }

  /**
   * Returns the same attributes as fields for the records of the request itself. These records are logged outside of the context,
   * because a logger creates and caches a state for each context in which it logs.
   */
  fields(): Fields {
    if (this.#outer === undefined) return this.#requestFields()
    const fields: Fields = withoutPrototype({})
    for (const [name, value] of this.attributes) fields[name] = value
    return fields
  }

  #requestFields(): Record<string, string> {
    return withoutPrototype({ 'request.id': this.id, 'http.request.method': this.#method, 'url.path': this.#path })
  }
}

/** The names of the attributes of every request, which `set` does not override. */
export const requestAttributeNames: readonly string[] = ['request.id', 'http.request.method', 'url.path']

/** Calls the option `attributes`. Returns undefined if it is not set or returns no object. */
function userAttributesOf(
  request: HttpRequest,
  { attributes }: Settings,
  optionErrors: OptionErrors,
): object | undefined {
  if (attributes === undefined) return undefined
  const returned = optionErrors.callOption('attributes', () => attributes(request))
  return typeof returned === 'object' && returned !== null ? returned : undefined
}
