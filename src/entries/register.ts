import { captureConsole } from '../create/capture-console.ts'
import type { ConsoleCapture } from '../console/options.ts'
import { createLogger } from '../create/create-logger.ts'
import { logger } from '../create/default-logger.ts'
import { stderrLine } from '../exporters/stderr.ts'
import type { LoggerProvider } from '../otel/provider/provider.ts'
import { providerFromEnvironment } from '../otel/provider/provider-environment.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { monotonic } from '../platform/node/end-of-turn.ts'
import { configFileIn, readEnvironment } from '../platform/node/env.ts'
import { define } from '../options/define-member.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'

/** What is set up for a process. */
interface Registered {
  readonly provider: LoggerProvider | undefined
  readonly capture: ConsoleCapture | undefined
}

/** All copies of this package in a process set it up once. */
const place = Symbol.for('sluice/v1/registered')

/**
 * The LoggerProvider that this module has set up from the environment, when it was loaded, and registered for both lines of
 * OpenTelemetry's API: `node --import sluice/register app.js`, or `--require`. undefined where the environment asks for none.
 * What was emitted is written when the process ends.
 */
export const provider: LoggerProvider | undefined = registered().provider

/**
 * The console, captured when this module was loaded, where the environment's SLUICE_CONSOLE says `passthrough` or `records`;
 * else undefined. Records go to `provider`, or to the `logger` of this package where there is none.
 */
export const capture: ConsoleCapture | undefined = registered().capture

function registered(): Registered {
  const shared = globalThis as { [place]?: Registered }
  if (shared[place] === undefined) {
    // With a configuration file OTEL_LOG_LEVEL does not apply.
    const level = configFileIn(process.env) === undefined ? undefined : 'warn'
    const reportDiagnostic = diagnosticReporter(
      undefined,
      (line, severity) => stderrLine(line, severity, level),
      monotonic,
    )
    const made = providerFromEnvironment(reportDiagnostic)
    made?.register()
    define(shared, place, { value: Object.freeze({ provider: made, capture: captured(made, reportDiagnostic) }) })
  }
  return shared[place]!
}

function captured(made: LoggerProvider | undefined, reportDiagnostic: OnDiagnostic): ConsoleCapture | undefined {
  const { console: mode } = readEnvironment(reportDiagnostic)
  if (mode === undefined) return undefined
  if (mode === 'passthrough') return captureConsole()
  return captureConsole({
    mode,
    logger: made === undefined ? logger : createLogger({ name: 'console', provider: made }),
  })
}
