import type { ExitOptions } from '../../lifecycle/destinations.ts'
import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { openExporters } from '../../lifecycle/open-exporters.ts'
import { defaultsOfProfile, exitOptionsOf } from '../../lifecycle/profiles.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import { Levels } from '../../logger/levels.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { emptyBoundState } from '../../record/bound.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { environmentProfile } from './env.ts'
import { nodePlatform } from './platform.ts'

/** Pipelines for text that is not the record of a logger, such as that of the console. Text still queued at exit is written then. */
export interface TextPipelines {
  /** One target for each exporter. */
  readonly targets: readonly PipelineTarget[]
  readonly delivery: LoggerDelivery
}

/** The user's options for exit and diagnostics. */
interface PipelineOptions extends Partial<ExitOptions> {
  readonly onDiagnostic?: OnDiagnostic | undefined
}

/**
 * Opens a pipeline for each exporter.
 *
 * @param reportDiagnostic - Reports diagnostics, to the callback in the options or to stderr.
 * @throws ConfigurationError if an exporter is already in use, or shares a destination with different options.
 */
export function openTextPipelines(
  exporters: Exporter | readonly Exporter[],
  reportDiagnostic: OnDiagnostic,
  options: PipelineOptions = {},
): TextPipelines {
  const pipelineOptions = withoutPrototype(options)
  const profile = defaultsOfProfile(environmentProfile(reportDiagnostic) ?? 'service', {
    hasOnDiagnostic: pipelineOptions.onDiagnostic !== undefined,
  })
  const { attached, delivery } = openExporters(exporters, {
    platform: nodePlatform,
    levels: new Levels(),
    bound: emptyBoundState,
    clock: Date.now,
    exit: exitOptionsOf(pipelineOptions, profile),
    profileDefaults: profile,
    reportDiagnostic,
    decorate: undefined,
    onFlush: undefined,
  })
  return { targets: attached.map(({ target }) => target), delivery }
}
