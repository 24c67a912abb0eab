import { captureConsole } from '../create/capture-console.ts'
import type { ConsoleCapture } from '../console/options.ts'
import { createLogger } from '../create/create-logger.ts'
import { logger } from '../create/default-logger.ts'
import { writeStderrLine } from '../exporters/stderr.ts'
import type { LoggerProvider } from '../otel/provider/provider.ts'
import { providerFromEnvironment } from '../otel/provider/provider-environment.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { monotonic } from '../platform/node/end-of-turn.ts'
import { configFileIn, readEnvironment } from '../platform/node/env.ts'
import { define } from '../options/define-member.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'

/** What this module has set up in the process. */
interface ProcessSetup {
  readonly provider: LoggerProvider | undefined
  readonly capture: ConsoleCapture | undefined
}

/** The key of the setup: all copies of this package in a process share one. */
const registryKey = Symbol.for('sluice/v1/registered')

/**
 * The LoggerProvider that is configured by environment variables. It is created when this module is loaded
 * (`node --import sluice/register app.js`, or `--require`) and registered with `@opentelemetry/api` and
 * `@opentelemetry/api-logs`. Undefined if the environment does not configure one. Emitted records are written when the process
 * exits.
 */
export const provider: LoggerProvider | undefined = processSetup().provider

/**
 * The console capture, which starts when this module is loaded if the environment variable `SLUICE_CONSOLE` is `passthrough` or
 * `records`; otherwise undefined. Records are emitted to `provider`, or to the `logger` of this package without one.
 */
export const capture: ConsoleCapture | undefined = processSetup().capture

/** Returns the setup of the process. The first call creates it. */
function processSetup(): ProcessSetup {
  const shared = globalThis as { [registryKey]?: ProcessSetup }
  if (shared[registryKey] === undefined) {
    // Undefined means that OTEL_LOG_LEVEL sets the level of diagnostics. With a configuration file, that variable does not apply.
    const diagnosticLevel = configFileIn(process.env) === undefined ? undefined : 'warn'
    const reportDiagnostic = diagnosticReporter(
      undefined,
      (line, severity) => writeStderrLine(line, severity, diagnosticLevel),
      monotonic,
    )
    const newProvider = providerFromEnvironment(reportDiagnostic)
    newProvider?.register()
    define(shared, registryKey, {
      value: Object.freeze({ provider: newProvider, capture: startCapture(newProvider, reportDiagnostic) }),
    })
  }
  return shared[registryKey]!
}

function startCapture(
  newProvider: LoggerProvider | undefined,
  reportDiagnostic: OnDiagnostic,
): ConsoleCapture | undefined {
  const { console: mode } = readEnvironment(reportDiagnostic)
  if (mode === undefined) return undefined
  if (mode === 'passthrough') return captureConsole()
  return captureConsole({
    mode,
    logger: newProvider === undefined ? logger : createLogger({ name: 'console', provider: newProvider }),
  })
}
