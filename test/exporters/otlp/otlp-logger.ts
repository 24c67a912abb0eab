import { createLogger } from '../../../src/create/create-logger.ts'
import type { OtlpExporterOptions } from '../../../src/exporters/otlp/options.ts'
import { otlpExporterIn } from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import type { Environment } from '../../../src/platform/node/variables.ts'

const open = new Set<RootLogger>()

/** Shuts down the loggers that failed tests left open, because they would retry for minutes. */
export async function closeLoggers(): Promise<void> {
  await Promise.all([...open].map((log) => log.shutdown({ timeoutMillis: 0 })))
  open.clear()
}

/** Creates a logger that sends by OTLP with short retry delays, and collects its diagnostics. */
export function otlpLogger(options: OtlpExporterOptions, env: Environment = {}, others: readonly Exporter[] = []) {
  const retry = { initialDelayMillis: 5, maxDelayMillis: 20, ...options.retry }
  const problems: Diagnostic[] = []
  const log = createLogger({
    exporter: [otlpExporterIn(env, { scheduledDelayMillis: 5, ...options, retry }), ...others],
    onDiagnostic: (problem) => problems.push(problem),
    handleExit: false,
  })
  open.add(log)
  let next = 0
  return {
    log,
    problems,
    codes: () => problems.map(({ code }) => code),
    /** Logs the given number of records, each with the number `seq`. */
    logAll(count: number, attributes: object = {}): void {
      for (let index = 0; index < count; index++) log.info('record', { seq: next++, ...attributes })
    },
    deliveryStats: () => log.stats().exporters[0]!,
  }
}

/** 0, 1, 2 … */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
