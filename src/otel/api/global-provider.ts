import type { OtelLoggerProvider } from './types.ts'
import { member } from '../../options/own-members.ts'

/**
 * Returns the LoggerProvider that is registered in this process: with `@opentelemetry/api` 1.10, else with the older
 * `@opentelemetry/api-logs`. Reads the globals directly, so it works with any copy of either package. Returns undefined when none
 * is registered. Never throws.
 */
export function globalLoggerProvider(): OtelLoggerProvider | undefined {
  try {
    const globals = globalThis as unknown as ApiGlobals
    const api = globals[apiKey]
    const provider = (api && member(api, 'logs')) ?? globals[legacyKey]?.(legacyVersion)
    return typeof provider?.getLogger === 'function' ? provider : undefined
  } catch {
    return undefined // the globals are not those of the API
  }
}

const apiKey = Symbol.for('opentelemetry.js.api.1')
const legacyKey = Symbol.for('io.opentelemetry.js.api.logs')
/** The API version that the older packages pass; the global function returns no provider for any other version. */
const legacyVersion = 1

interface ApiGlobals {
  readonly [apiKey]?: { readonly logs?: OtelLoggerProvider }
  readonly [legacyKey]?: (version: number) => OtelLoggerProvider | undefined
}
