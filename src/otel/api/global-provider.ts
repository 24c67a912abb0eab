import type { OtelLoggerProvider } from './types.ts'
import { member } from '../../options/own-members.ts'

/**
 * The provider that is registered in this process: on the global of today's API (@opentelemetry/api 1.10), else on that of the
 * older one (@opentelemetry/api-logs). Read without either package, so it does not matter which copies there are.
 * undefined while there is none. Never throws.
 */
export function globalLoggerProvider(): OtelLoggerProvider | undefined {
  try {
    const shared = globalThis as unknown as ApiGlobals
    const api = shared[apiKey]
    const provider = (api && member(api, 'logs')) ?? shared[legacyKey]?.(legacyVersion)
    return typeof provider?.getLogger === 'function' ? provider : undefined
  } catch {
    return undefined // somebody's own global
  }
}

const apiKey = Symbol.for('opentelemetry.js.api.1')
const legacyKey = Symbol.for('io.opentelemetry.js.api.logs')
/** What the older line asks for, so that packages of different shape do not meet. */
const legacyVersion = 1

interface ApiGlobals {
  readonly [apiKey]?: { readonly logs?: OtelLoggerProvider }
  readonly [legacyKey]?: (version: number) => OtelLoggerProvider | undefined
}
