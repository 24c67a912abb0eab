import { member } from '../../options/own-members.ts'

/**
 * Calls a function with tracing suppressed, so that HTTP instrumentation creates no spans for the requests of exporters. The context
 * manager is read from the global that all 1.x versions of `@opentelemetry/api` use. Throws only what the function throws.
 */
export function withTracingSuppressed<T>(send: () => T): T {
  let hasStarted = false
  const startSend = (): T => {
    hasStarted = true
    return send()
  }
  try {
    const api = (globalThis as unknown as ApiGlobal)[apiKey]
    const manager = api && member(api, 'context')
    if (manager !== undefined) return manager.with(manager.active().setValue(suppressKey, true), startSend)
  } catch (error) {
    // A custom context manager may throw before it calls the function. Then the function is called without suppression.
    if (hasStarted) throw error
  }
  return startSend()
}

const apiKey = Symbol.for('opentelemetry.js.api.1')
const suppressKey = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

interface Context {
  setValue(key: symbol, value: unknown): Context
}

/** The part of the API's global that is used. */
interface ApiGlobal {
  readonly [apiKey]?: {
    readonly context?: {
      active(): Context
      with<T>(context: Context, fn: () => T): T
    }
  }
}
