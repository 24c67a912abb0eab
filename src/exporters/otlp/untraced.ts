import { member } from '../../options/own-members.ts'

/**
 * Calls a function with tracing suppressed, so that no instrumentation of http traces the exporter (OTL17): what it would
 * trace is exported, too. The context manager is found through the global of every 1.x of `@opentelemetry/api`. Throws
 * only what the function throws.
 */
export function untraced<T>(send: () => T): T {
  let began = false
  const once = (): T => {
    began = true
    return send()
  }
  try {
    const api = (globalThis as unknown as ApiGlobal)[apiKey]
    const manager = api && member(api, 'context')
    if (manager !== undefined) return manager.with(manager.active().setValue(suppressKey, true), once)
  } catch (error) {
    // a context manager of somebody's own
    if (began) throw error
  }
  return once()
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
