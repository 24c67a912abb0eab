import type { AnyValue, AnyValueMap } from './any-value.ts'

/** The instrumentation scope: the part of the program that logs. */
export interface Scope {
  /** Its name, such as that of a package or a module; undefined if it has none. */
  readonly name: string | undefined
  /** Its version; undefined if it has none. */
  readonly version: string | undefined
  /** The URL of the schema of its attributes; undefined if it was not set. */
  readonly schemaUrl: string | undefined
  /** Its attributes; undefined if it has none. */
  readonly attributes: AnyValueMap | undefined
  /** The number of its attributes that were dropped because there were too many; undefined means 0. */
  readonly droppedAttributes: number | undefined
}

/**
 * The members of a scope that are often not set, as undefined. They are own members, so that no values are read from `Object.prototype`
 * instead.
 */
export const emptyScopeDetails: Pick<Scope, 'schemaUrl' | 'attributes' | 'droppedAttributes'> = {
  schemaUrl: undefined,
  attributes: undefined,
  droppedAttributes: undefined,
}

/** The entity that produces the records: service, process, host. */
export interface Resource {
  /** Its attributes by name, such as `service.name`. */
  readonly attributes: ReadonlyMap<string, AnyValue>
  /** `service.name` if it was set; the fallback `unknown_service:…` does not count. */
  readonly serviceName: string | undefined
  /** The URL of the schema of its attributes; undefined if it was not set. */
  readonly schemaUrl: string | undefined
}

/** The scope and resource of records. OTLP groups records by them, compared by identity. */
export interface InstrumentationSource {
  /** The part of the program that logs. */
  readonly scope: Scope
  /** The entity that this part belongs to. */
  readonly resource: Resource
}
