import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { loadCopiesOf } from '../provider/package-copies.ts'
import type { OtelLoggerProvider } from './types.ts'
import { member } from '../../options/own-members.ts'
import { setMember } from '../../options/define-member.ts'

/**
 * The outcome of a registration. `taken`: another provider is already registered and is kept. `unavailable`: the provider cannot be
 * registered, for one of these reasons. The application's `@opentelemetry/api` is older than 1.10: it has no Logs API, and if a newer copy
 * registered the provider, the older one would reject the application's tracing registration. No copy of `@opentelemetry/api` was found,
 * and none has registered anything yet. The globals are frozen. The provider was shut down.
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
 * Registers a provider with both `@opentelemetry/api` and `@opentelemetry/api-logs`, which use separate globals. It uses the
 * application's own copies of the packages, so loggers that they returned earlier start to work. Without copies, it sets the
 * globals directly, unless that would make `@opentelemetry/api` reject the application's tracing registration. A provider that is
 * already registered is kept, which is reported as `SLUICE_PROVIDER_ALREADY_REGISTERED`. Never throws.
 */
export function registerGlobally(provider: OtelLoggerProvider, reportDiagnostic: OnDiagnostic): Registration {
  const outcomes = apiPackages.map((apiPackage) => registerWith(apiPackage, provider))
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
  /** Returns the provider, or undefined if no provider is registered. */
  current(): unknown
  /** Removes the registered provider. */
  clear(): void
  /** Registers a provider by setting the global directly. */
  set(provider: OtelLoggerProvider): void
}

function registerWith(apiPackage: ApiPackage, provider: OtelLoggerProvider): RegistrationOutcome {
  try {
    const current = apiPackage.current()
    if (current !== undefined && current !== provider) return 'taken'
    const copies = loadCopiesOf(apiPackage.packageName)
    // The first copy is the application's own. If it is too old, a newer copy of a dependency must not register before it.
    if (copies.length > 0 && logsOf(copies[0]!) === undefined) return 'unavailable'
    for (const logs of copies.map(logsOf)) {
      // Register with every copy, because each has its own proxy loggers that wait for a provider. A copy accepts a provider only if
      // none is registered.
      apiPackage.clear()
      logs?.setGlobalLoggerProvider(provider)
    }
    if (apiPackage.current() !== provider) apiPackage.set(provider)
    return apiPackage.current() === provider ? 'registered' : 'unavailable'
  } catch {
    return 'unavailable' // for example, the globals are frozen
  }
}

function unregisterFrom(apiPackage: ApiPackage, provider: OtelLoggerProvider): void {
  try {
    if (apiPackage.current() !== provider) return
    for (const logs of loadCopiesOf(apiPackage.packageName).map(logsOf)) logs?.disable()
    apiPackage.clear()
  } catch {
    // For example, the globals are frozen.
  }
}

/** The part of the `logs` object of either API package that is used here. */
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
const globals = globalThis as {
  [apiKey]?: ApiGlobal | undefined
  [apiLogsKey]?: ((version: number) => unknown) | undefined
}

const api: ApiPackage = {
  packageName: '@opentelemetry/api',
  current: () => globals[apiKey] && member(globals[apiKey], 'logs'),
  clear: () => void delete globals[apiKey]?.logs,
  set(provider) {
    const existing = globals[apiKey]
    // A copy of the API that is bundled cannot be found, and its version is unknown until it creates the global object. If the object
    // were created here with another version, that copy would reject the application's tracing registration.
    if (existing !== undefined && supportsLogs(member(existing, 'version'))) setMember(existing, 'logs', provider)
  },
}

const apiLogs: ApiPackage = {
  packageName: '@opentelemetry/api-logs',
  current: () => globals[apiLogsKey]?.(apiLogsVersion),
  clear: () => void delete globals[apiLogsKey],
  set(provider) {
    globals[apiLogsKey] = (version) => (version === apiLogsVersion ? provider : noopProvider)
  },
}

const apiPackages: readonly ApiPackage[] = [api, apiLogs]

/** The API version that every version of `@opentelemetry/api-logs` passes. */
const apiLogsVersion = 1
const noopProvider: OtelLoggerProvider = { getLogger: () => ({ emit() {}, enabled: () => false }) }

function supportsLogs(version: unknown): boolean {
  const [, minorVersion = ''] = /^1\.(\d+)\./.exec(String(version)) ?? []
  return Number(minorVersion) >= 10
}
