import { composeLogger, type End, type Surroundings } from './compose-logger.ts'
import { fdExporter } from './export/fd.ts'
import { stderrLine } from './export/stderr.ts'
import type { LoggerOptions, RootLogger } from './logger/types.ts'
import { loggerSchema } from './logger-options.ts'
import { providerDelivery } from './otel/provider-delivery.ts'
import { providerHandler } from './otel/provider-handler.ts'
import { Account } from './pipeline/ledger.ts'
import type { OnProblem } from './record/problems.ts'
import type { BoundState } from './record/bound.ts'
import type { Rules } from './rules/rules.ts'
import { contextStorage } from './runtime/context-storage.ts'
import { readEnvironment } from './runtime/env.ts'
import { nodePlatform } from './runtime/platform.ts'
import { resourceFrom } from './runtime/resource.ts'

/**
 * Makes a logger that owns its pipelines.
 *
 * @throws ConfigurationError with every problem of the options. The environment never makes it throw.
 */
export function createLogger<A extends object = object, L extends string = never>(
  options: LoggerOptions<A, L> = {},
): RootLogger<A, L> {
  return composeLogger(options, node) as unknown as RootLogger<A, L>
}

/** What a logger takes of Node. */
export const node: Surroundings = {
  platform: nodePlatform,
  schema: loggerSchema,
  writeLine: stderrLine,
  environment: readEnvironment,
  resource: resourceFrom,
  contexts: contextStorage,
  exporter: ({ fd }) => fdExporter({ fd }),
  delivery: (own) => own,
  otherEnd: providerEnd,
}

function providerEnd(
  { provider, traceContext = true }: LoggerOptions,
  { scope }: BoundState,
  rules: Rules,
  tell: OnProblem,
): End | undefined {
  if (provider === undefined) return undefined
  const account = new Account()
  return {
    handler: providerHandler({ provider, scope, account, traceContext, tell }, rules),
    accounts: [account],
    delivery: providerDelivery(provider, account),
    divert: undefined,
  }
}
