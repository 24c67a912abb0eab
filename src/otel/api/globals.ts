import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { copiesOf } from '../provider/provider-copies.ts'
import type { OtelLoggerProvider } from './types.ts'
import { member } from '../../options/own-members.ts'
import { setMember } from '../../options/define-member.ts'

/**
 * The outcome of a registration. `taken`: another provider is already registered and is kept. `unavailable`: the provider cannot be
 * registered, for one of these reasons: the application's `@opentelemetry/api` is older than 1.10, so it has no Logs API, and
 * registering with a newer copy would make it reject its own tracing registration; no copy of the package was found and none has
 * registered anything yet; the globals are frozen; or the provider was shut down.
 */
export type RegistrationOutcome = 'registered' | 'taken' | 'unavailable'

/** The result of registering a LoggerProvider as the global one, for each generation of the API. */
export interface Registration {
  /** The outcome for `@opentelemetry/api` 1.10 and later. */
  readonly api: RegistrationOutcome
  /** The outcome for `@opentelemetry/api-logs`, the older package. */
  readonly apiLogs: RegistrationOutcome
  /** Removes this registration and no other. `shutdown()` calls it. */
  unregister(): void
}

/**
 * Registers a provider with both `@opentelemetry/api` and `@opentelemetry/api-logs`, which use separate globals (API2). It uses the
 * application's own copies of the packages, so loggers that they returned earlier start to work. Without copies, it sets the
 * globals directly, unless that would make `@opentelemetry/api` reject the application's tracing registration. A provider that is
 * already registered is kept, which is reported as `SLUICE_PROVIDER_ALREADY_REGISTERED`. Never throws.
 */
export function registerGlobally(provider: OtelLoggerProvider, reportDiagnostic: OnDiagnostic): Registration {
  const outcomes = apiPackages.map((apiPackage) => registerOn(apiPackage, provider))
  const taken = apiPackages
    .filter((_, index) => outcomes[index] === 'taken')
    .map((apiPackage) => apiPackage.packageName)
  if (taken.length > 0) {
    const message = `another LoggerProvider is registered with ${taken.join(' and ')}; it stays registered, and this provider does not receive its records`
    reportDiagnostic({ code: 'SLUICE_PROVIDER_ALREADY_REGISTERED', message })
  }
  return {
    api: outcomes[0]!,
    apiLogs: outcomes[1]!,
    unregister() {
      for (const apiPackage of apiPackages) unregisterFrom(apiPackage, provider)
    },
  }
}

/** One of the API packages, with access to the global that holds its provider. */
interface ApiPackage {
  readonly packageName: string
  /** Returns the registered provider. */
  current(): unknown
  clear(): void
  /** Registers by setting the global directly. */
  set(provider: OtelLoggerProvider): void
}

function registerOn(apiPackage: ApiPackage, provider: OtelLoggerProvider): RegistrationOutcome {
  try {
    const current = apiPackage.current()
    if (current !== undefined && current !== provider) return 'taken'
    const copies = copiesOf(apiPackage.packageName)
    // The application's own copy decides. If it is too old, a newer copy of a dependency must not register first.
    if (copies.length > 0 && logsOf(copies[0]!) === undefined) return 'unavailable'
    for (const logs of copies.map(logsOf)) {
      // A copy accepts a provider only when none is registered, and each copy has its own proxy loggers that wait for a provider.
      apiPackage.clear()
      logs?.setGlobalLoggerProvider(provider)
    }
    if (apiPackage.current() !== provider) apiPackage.set(provider)
    return apiPackage.current() === provider ? 'registered' : 'unavailable'
  } catch {
    return 'unavailable' // frozen globals
  }
}

function unregisterFrom(apiPackage: ApiPackage, provider: OtelLoggerProvider): void {
  try {
    if (apiPackage.current() !== provider) return
    for (const logs of copiesOf(apiPackage.packageName).map(logsOf)) logs?.disable()
    apiPackage.clear()
  } catch {
    // frozen globals
  }
}

/** The part of a package's `logs` object that is used here. */
interface LogsApi {
  setGlobalLoggerProvider(provider: OtelLoggerProvider): unknown
  disable(): void
}

function logsOf(copy: object): LogsApi | undefined {
  const logs = member(copy as { logs?: Partial<LogsApi> }, 'logs')
  return typeof logs?.setGlobalLoggerProvider === 'function' && typeof logs.disable === 'function'
    ? (logs as LogsApi)
    : undefined
}

/**
 * The global object that all copies of `@opentelemetry/api` 1.x share. A copy refuses to register when the object has another
 * version.
 */
interface ApiGlobal {
  readonly version?: unknown
  logs?: unknown
}

const apiKey = Symbol.for('opentelemetry.js.api.1')
const apiLogsKey = Symbol.for('io.opentelemetry.js.api.logs')
const shared = globalThis as {
  [apiKey]?: ApiGlobal | undefined
  [apiLogsKey]?: ((version: number) => unknown) | undefined
}

const api: ApiPackage = {
  packageName: '@opentelemetry/api',
  current: () => shared[apiKey] && member(shared[apiKey], 'logs'),
  clear: () => void delete shared[apiKey]?.logs,
  set(provider) {
    const existing = shared[apiKey]
    // A bundled API has no copy that can be found. If it has not created the global object yet, its version is unknown, and an
    // object with another version would make it reject its own tracing registration.
    if (existing !== undefined && supportsLogs(member(existing, 'version'))) setMember(existing, 'logs', provider)
  },
}

const apiLogs: ApiPackage = {
  packageName: '@opentelemetry/api-logs',
  current: () => shared[apiLogsKey]?.(apiLogsVersion),
  clear: () => void delete shared[apiLogsKey],
  set(provider) {
    shared[apiLogsKey] = (version) => (version === apiLogsVersion ? provider : noProvider)
  },
}

const apiPackages: readonly ApiPackage[] = [api, apiLogs]

/** The API version that every version of `@opentelemetry/api-logs` passes. */
const apiLogsVersion = 1
const noProvider: OtelLoggerProvider = { getLogger: () => ({ emit() {}, enabled: () => false }) }

function supportsLogs(version: unknown): boolean {
  const [, minor = ''] = /^1\.(\d+)\./.exec(String(version)) ?? []
  return Number(minor) >= 10
}
