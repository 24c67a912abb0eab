import type { OtelContext } from './types.ts'

/** An immutable context of the OpenTelemetry API that maps keys to values. */
class ValueContext implements OtelContext {
  private readonly values: ReadonlyMap<symbol, unknown>

  constructor(values: ReadonlyMap<symbol, unknown>) {
    this.values = values
  }
  getValue(key: symbol): unknown {
    return this.values.get(key)
  }
  setValue(key: symbol, value: unknown): OtelContext {
    return new ValueContext(new Map(this.values).set(key, value))
  }
  deleteValue(key: symbol): OtelContext {
    const values = new Map(this.values)
    values.delete(key)
    return new ValueContext(values)
  }
}

/**
 * A context without values, equivalent to the API's `ROOT_CONTEXT`. It is the active context when no context manager is registered.
 */
export const rootContext: OtelContext = new ValueContext(new Map())
