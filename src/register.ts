import { stderrLine } from './export/stderr.ts'
import type { LoggerProvider } from './otel/provider.ts'
import { providerFromEnvironment } from './otel/provider-environment.ts'
import { problemReporter } from './delivery/problem-reporter.ts'
import { monotonic } from './runtime/end-of-turn.ts'
import { define } from './record/define.ts'

/** All copies of this package in a process set up one provider. */
const place = Symbol.for('sluice/v1/registered')

/**
 * The LoggerProvider that this module has set up from the environment, when it was loaded, and registered for both lines of
 * OpenTelemetry's API: `node --import sluice/register app.js`, or `--require`. undefined where the environment asks for none.
 * What was emitted is written when the process ends.
 */
export const provider: LoggerProvider | undefined = registered()

function registered(): LoggerProvider | undefined {
  const shared = globalThis as { [place]?: { readonly provider: LoggerProvider | undefined } }
  if (shared[place] === undefined) {
    const made = providerFromEnvironment(problemReporter(undefined, stderrLine, monotonic))
    made?.register()
    define(shared, place, { value: Object.freeze({ provider: made }) })
  }
  return shared[place]!.provider
}
