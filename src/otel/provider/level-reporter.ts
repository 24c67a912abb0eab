import { encodingHandler } from '../../handler/encoding-handler.ts'
import type { AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import { processLevelLayers } from '../../levels/level-layers.ts'
import type { LevelReporter } from '../../levels/level-reporters.ts'
import { createLevelReporter } from '../../logger/level-reporter.ts'
import type { BoundState } from '../../record/bound.ts'
import type { Rules } from '../../values/record-rules.ts'

/** Creates what writes changes of level directives to the exporters of a provider; undefined for one without exporters. */
export function registerLevelReporter(
  attachedExporters: readonly AttachedExporter[],
  clock: () => number,
  rules: Rules,
  bound: BoundState,
): LevelReporter | undefined {
  if (attachedExporters.length === 0) return undefined
  const targets = attachedExporters.map(({ target }) => target)
  const allCounters = targets.map(({ owner }) => owner.counters)
  const reporter = createLevelReporter({ allCounters, clock }, encodingHandler(targets, rules), rules, bound)
  processLevelLayers().reporters.add(reporter)
  return reporter
}
