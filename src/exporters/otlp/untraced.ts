import { member } from '../../options/own-members.ts'

/**
 * Calls a function with tracing suppressed, so that http instrumentation does not trace the exporter (OTL17), whose spans would
 * themselves be exported. The context manager is found through the global of every 1.x version of `@opentelemetry/api`. Throws
 * only what the function throws.
 */
export function withTracingSuppressed<T>(send: () => T): T {
  let hasStarted = false
  const sendTracked = (): T => {
    hasStarted = true
    return send()
  }
  try {
    const api = (globalThis as unknown as ApiGlobal)[apiKey]
    const manager = api && member(api, 'context')
    if (manager !== undefined) return manager.with(manager.active().setValue(suppressKey, true), sendTracked)
  } catch (error) {
    // A custom context manager may throw.
    if (hasStarted) throw error
  }
  return sendTracked()
}

const apiKey = Symbol.for('opentelemetry.js.api.1')
const suppressKey = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

interface Context {
  setValue(key: symbol, value: unknown): Context
}

interface ApiGlobal {
  readonly [apiKey]?: {
    readonly context?: {
      active(): Context
      with<T>(context: Context, fn: () => T): T
    }
  }
}
