import { composeLogger, type Sink, type LoggerRuntime } from './compose-logger.ts'
import { fdExporter } from '../exporters/fd/fd-exporter.ts'
import { stderrLine } from '../exporters/stderr.ts'
import type { LoggerOptions, RootLogger } from '../logger/types.ts'
import { loggerSchema } from './logger-options.ts'
import { providerDelivery } from '../otel/provider/provider-delivery.ts'
import { providerHandler } from '../otel/provider/provider-handler.ts'
import { Counters } from '../pipeline/counters.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'
import type { BoundState } from '../record/bound.ts'
import type { Rules } from '../values/record-rules.ts'
import { contextStorage } from '../platform/node/context-storage.ts'
import { readEnvironment } from '../platform/node/env.ts'
import { nodePlatform } from '../platform/node/platform.ts'
import { resourceFrom } from '../platform/node/resource.ts'

/**
 * Creates a logger that owns its pipelines.
 *
 * @throws ConfigurationError with every problem of the options. Invalid environment variables do not throw.
 */
export function createLogger<A extends object = object, L extends string = never>(
  options: LoggerOptions<A, L> = {},
): RootLogger<A, L> {
  return composeLogger(options, node) as unknown as RootLogger<A, L>
}

/** The runtime services of a logger on Node. */
export const node: LoggerRuntime = {
  platform: nodePlatform,
  schema: loggerSchema,
  writeLine: stderrLine,
  environment: readEnvironment,
  resource: resourceFrom,
  contexts: contextStorage,
  exporter: ({ fd }) => fdExporter({ fd }),
  delivery: (own) => own,
  providerSink: createProviderSink,
}

function createProviderSink(
  { provider, traceContext = true }: LoggerOptions,
  { scope }: BoundState,
  rules: Rules,
  reportDiagnostic: OnDiagnostic,
): Sink | undefined {
  if (provider === undefined) return undefined
  const counters = new Counters()
  return {
    handler: providerHandler({ provider, scope, counters, traceContext, reportDiagnostic }, rules),
    allCounters: [counters],
    delivery: providerDelivery(provider, counters),
    captureRecords: undefined,
  }
}
