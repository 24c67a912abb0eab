import type { ExitOptions } from '../../lifecycle/destinations.ts'
import { loggerDelivery, type LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { attachExporters } from '../../lifecycle/attached-exporters.ts'
import { defaultsOf, exitOf } from '../../lifecycle/profiles.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import { Levels } from '../../logger/levels.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { BoundState, originOf } from '../../record/bound.ts'
import { ownCopy } from '../../options/own-members.ts'
import { nothingMore } from '../../record/record.ts'
import { environmentProfile } from './env.ts'
import { nodePlatform } from './platform.ts'

/** The ways of finished text to exporters: queued, bounded, counted, and written when the process ends. */
export interface TextPipelines {
  /** One for each exporter. */
  readonly outputs: readonly PipelineTarget[]
  readonly delivery: LoggerDelivery
}

/** Who may end the process, and whom trouble is told: what users say of it. */
interface Said extends Partial<ExitOptions> {
  readonly onDiagnostic?: OnDiagnostic | undefined
}

/**
 * Opens them.
 *
 * @param reportDiagnostic - tells trouble, to whomever options name or to stderr
 * @throws ConfigurationError when somebody in this process writes to the same destination with other options.
 */
export function openTextPipelines(
  exporters: Exporter | readonly Exporter[],
  reportDiagnostic: OnDiagnostic,
  options: Said = {},
): TextPipelines {
  const call = ownCopy(options)
  const profile = defaultsOf(environmentProfile(reportDiagnostic) ?? 'service', call.onDiagnostic)
  const exit = exitOf(call, profile)
  const attached = attachExporters(exporters, {
    platform: nodePlatform,
    levels: new Levels(),
    bound: unbound,
    clock: Date.now,
    exit,
    profile,
    reportDiagnostic,
    decorate: undefined,
    flushing: undefined,
  })
  return {
    outputs: attached.map(({ output }) => output),
    delivery: loggerDelivery(nodePlatform, attached, exit.exitTimeoutMillis),
  }
}

/** A text says by itself who speaks. */
export const unbound: BoundState = BoundState.of(
  originOf({
    scope: { ...nothingMore, name: undefined, version: undefined },
    resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
  }),
)
