import type { ExitOptions } from '../../lifecycle/destinations.ts'
import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { openExporters } from '../../lifecycle/open-exporters.ts'
import { defaultsOf, exitOf } from '../../lifecycle/profiles.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import { Levels } from '../../logger/levels.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { unbound } from '../../record/bound.ts'
import { ownCopy } from '../../options/own-members.ts'
import { environmentProfile } from './env.ts'
import { nodePlatform } from './platform.ts'

/** Pipelines of encoded text to exporters: queued, bounded, counted, and written when the process exits. */
export interface TextPipelines {
  /** One target for each exporter. */
  readonly outputs: readonly PipelineTarget[]
  readonly delivery: LoggerDelivery
}

/** The user's options for exit and diagnostics. */
interface PipelineOptions extends Partial<ExitOptions> {
  readonly onDiagnostic?: OnDiagnostic | undefined
}

/**
 * Opens the pipelines.
 *
 * @param reportDiagnostic - Reports diagnostics, to the callback in the options or to stderr.
 * @throws ConfigurationError if another exporter in this process uses the same destination with other options.
 */
export function openTextPipelines(
  exporters: Exporter | readonly Exporter[],
  reportDiagnostic: OnDiagnostic,
  options: PipelineOptions = {},
): TextPipelines {
  const call = ownCopy(options)
  const profile = defaultsOf(environmentProfile(reportDiagnostic) ?? 'service', call.onDiagnostic)
  const { attached, delivery } = openExporters(exporters, {
    platform: nodePlatform,
    levels: new Levels(),
    bound: unbound,
    clock: Date.now,
    exit: exitOf(call, profile),
    profile,
    reportDiagnostic,
    decorate: undefined,
    onFlush: undefined,
  })
  return { outputs: attached.map(({ target }) => target), delivery }
}
