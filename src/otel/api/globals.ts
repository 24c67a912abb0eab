import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { copiesOf } from '../provider/provider-copies.ts'
import type { OtelLoggerProvider } from './types.ts'
import { member } from '../../options/own-members.ts'
import { setMember } from '../../options/define-member.ts'

/**
 * What became of a registration. `taken`: somebody else was registered before, and stays. `unavailable`: the application's
 * `@opentelemetry/api` is older than 1.10 and has no logs, and a newer one beside it would refuse its tracing; or there is
 * no copy of it to be found, and none has registered anything yet; or the globals are frozen; or the provider was shut down.
 */
export type RegistrationOutcome = 'registered' | 'taken' | 'unavailable'

/** Who is asked for loggers in this process, as far as it was changed. */
export interface Registration {
  /** For `@opentelemetry/api` 1.10 and later. */
  readonly api: RegistrationOutcome
  /** For `@opentelemetry/api-logs`, the older line. */
  readonly apiLogs: RegistrationOutcome
  /** Takes back what was registered, and nothing else. `shutdown()` does it. */
  unregister(): void
}

/**
 * Registers a provider for both lines of the API (API2), which do not know each other. It is done through the application's
 * own copies of the packages, so that loggers which they handed out before begin to speak; without any, at the place where
 * the packages look, as far as that does not make `@opentelemetry/api` refuse the application's tracing. Whoever is
 * registered stays, and that is told as `SLUICE_GLOBAL_TAKEN`. Never throws.
 */
export function registerGlobally(provider: OtelLoggerProvider, reportDiagnostic: OnDiagnostic): Registration {
  const outcomes = lines.map((line) => registerOn(line, provider))
  const taken = lines.filter((_, index) => outcomes[index] === 'taken').map((line) => line.packageName)
  if (taken.length > 0) {
    const message = `another LoggerProvider is registered with ${taken.join(' and ')}; it stays, and this one is not asked there`
    reportDiagnostic({ code: 'SLUICE_GLOBAL_TAKEN', message })
  }
  return {
    api: outcomes[0]!,
    apiLogs: outcomes[1]!,
    unregister() {
      for (const line of lines) unregisterFrom(line, provider)
    },
  }
}

/** One line of the API: where it looks for the provider. */
interface Line {
  readonly packageName: string
  /** Who is registered. */
  current(): unknown
  clear(): void
  /** Registers without the package. */
  set(provider: OtelLoggerProvider): void
}

function registerOn(line: Line, provider: OtelLoggerProvider): RegistrationOutcome {
  try {
    const current = line.current()
    if (current !== undefined && current !== provider) return 'taken'
    const copies = copiesOf(line.packageName)
    // The application's copy decides: if it is too old, a newer one that something else brought must not come first.
    if (copies.length > 0 && logsOf(copies[0]!) === undefined) return 'unavailable'
    for (const logs of copies.map(logsOf)) {
      // A copy takes a provider only where none is registered, and each has loggers of its own that wait for one.
      line.clear()
      logs?.setGlobalLoggerProvider(provider)
    }
    if (line.current() !== provider) line.set(provider)
    return line.current() === provider ? 'registered' : 'unavailable'
  } catch {
    return 'unavailable' // globals that somebody froze
  }
}

function unregisterFrom(line: Line, provider: OtelLoggerProvider): void {
  try {
    if (line.current() !== provider) return
    for (const logs of copiesOf(line.packageName).map(logsOf)) logs?.disable()
    line.clear()
  } catch {
    // as above
  }
}

/** The `logs` of a package, as far as it is used. */
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

/** The object that all copies of `@opentelemetry/api` 1.x share. They refuse to register with one of another version. */
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

const api: Line = {
  packageName: '@opentelemetry/api',
  current: () => shared[apiKey] && member(shared[apiKey], 'logs'),
  clear: () => void delete shared[apiKey]?.logs,
  set(provider) {
    const known = shared[apiKey]
    // Whoever bundled the API has no copy to be found. Where it has not made the object, its version is not known, and under
    // any other it would refuse its own tracing.
    if (known !== undefined && knowsLogs(member(known, 'version'))) setMember(known, 'logs', provider)
  },
}

const apiLogs: Line = {
  packageName: '@opentelemetry/api-logs',
  current: () => shared[apiLogsKey]?.(apiLogsVersion),
  clear: () => void delete shared[apiLogsKey],
  set(provider) {
    shared[apiLogsKey] = (version) => (version === apiLogsVersion ? provider : noProvider)
  },
}

const lines: readonly Line[] = [api, apiLogs]

/** What the copies of `@opentelemetry/api-logs` ask for, whatever version they have. */
const apiLogsVersion = 1
const noProvider: OtelLoggerProvider = { getLogger: () => ({ emit() {}, enabled: () => false }) }

function knowsLogs(version: unknown): boolean {
  const [, minor = ''] = /^1\.(\d+)\./.exec(String(version)) ?? []
  return Number(minor) >= 10
}
