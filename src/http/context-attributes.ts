import { CombinedBounds, contextState, type ContextAttributes } from '../logger/bound.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import type { BoundState } from '../record/bound.ts'
import { contexts, contextWith } from '../platform/node/with-context.ts'
import type { HttpRequest } from './exchange.ts'
import type { Fields } from './fields.ts'
import type { Settings } from './options.ts'
import { knownMethods } from './semantic-conventions.ts'
import type { RequestLogDiagnostics } from './request-log-diagnostics.ts'
import { ownCopy } from '../options/own-members.ts'

/** The attributes that are added to all records logged while a request is handled: those known when the request arrives. */
export class RequestContext implements ContextAttributes {
  readonly id: string
  readonly bounds: CombinedBounds = new CombinedBounds()
  readonly #method: string
  readonly #path: string
  /** The outer context with the user's attributes; undefined when there is neither. */
  readonly #outer: ContextAttributes | undefined
  #bound: BoundState | undefined

  constructor(request: HttpRequest, id: string, path: string, settings: Settings, diagnostics: RequestLogDiagnostics) {
    const { method } = request
    this.id = id
    this.#method = knownMethods.has(method) ? method : '_OTHER'
    this.#path = path
    const own = attributesOf(request, settings, diagnostics)
    this.#outer = own === undefined ? contexts().get() : contextWith(own)
  }

  /** Created on first use by a logger, because most requests are handled without a log call. */
  get bound(): BoundState {
    return (this.#bound ??= contextState(this.#outer?.bound, {
      names: ownNames,
      keys: undefined,
      values: [this.id, this.#method, this.#path],
      shape: ownNames,
      dropped: 0,
    }))
  }

  get attributes(): AnyValueMap {
    return this.bound.attributes
  }

  /**
   * Returns the same attributes as fields for the records of the request itself. These are logged outside of the context, because a
   * logger creates a snapshot for each context that it logs in.
   */
  fields(): Fields {
    if (this.#outer === undefined) return this.#requestFields()
    const fields: Fields = ownCopy({})
    for (const [name, value] of this.attributes) fields[name] = value
    return fields
  }

  #requestFields(): Record<string, string> {
    return ownCopy({ 'request.id': this.id, 'http.request.method': this.#method, 'url.path': this.#path })
  }
}

const ownNames = ['request.id', 'http.request.method', 'url.path']

function attributesOf(
  request: HttpRequest,
  { attributes }: Settings,
  diagnostics: RequestLogDiagnostics,
): object | undefined {
  if (attributes === undefined) return undefined
  const returned = diagnostics.callOption('attributes', () => attributes(request))
  return typeof returned === 'object' && returned !== null ? returned : undefined
}
