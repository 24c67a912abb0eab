import {
  arePredicatesMet,
  directivesForLogger,
  type ApplicableDirective,
  type AttributeSource,
  type Directive,
} from './directive.ts'
import { monotonicNow, type LevelLayer } from './level-layer.ts'
import { processLevelLayers } from './level-layers.ts'
import type { LevelThresholds, ResolvedLevel } from './resolve-level.ts'

/** A directive that applies to a logger, and the layer that it belongs to; undefined for directives of the logger itself. */
export interface Candidate extends ApplicableDirective {
  readonly layer: LevelLayer | undefined
}

const noDirectives: readonly Directive[] = []

/**
 * Returns the directives that can apply to a logger, in the order in which they are tested: those of newer layers first, and
 * those of the root logger last. The list ends with the first one that always applies.
 */
export function candidatesFor(
  name: string,
  levels: LevelThresholds,
  ownDirectives: readonly Directive[] = noDirectives,
): readonly Candidate[] {
  const candidates: Candidate[] = []
  for (const layer of [...processLevelLayers().layers, undefined]) {
    for (const { directive, level } of directivesForLogger(layer?.directives ?? ownDirectives, name, levels)) {
      const candidate = { directive, level, layer }
      candidates.push(candidate)
      if (appliesAlways(candidate)) return candidates
    }
  }
  return candidates
}

/** Returns whether a directive applies to all records, and does not expire. */
export function appliesAlways({ directive, layer }: Candidate): boolean {
  return directive.predicates.length === 0 && (layer === undefined || layer.expiresAt === Infinity)
}

/** Returns the level of the first directive that applies to a record with the attributes of `source` now; undefined if none does. */
export function levelByDirectives(
  candidates: readonly Candidate[],
  source: AttributeSource,
): ResolvedLevel | undefined {
  let now: number | undefined
  for (let i = 0; i < candidates.length; i++) {
    const { directive, level, layer } = candidates[i]!
    if (!arePredicatesMet(directive.predicates, source)) continue
    // The clock is read last, because that can cost more than the rest.
    if (layer === undefined || layer.expiresAt === Infinity || layer.expiresAt > (now ??= monotonicNow())) return level
    // The timer of the layer is late, because the event loop was blocked.
    processLevelLayers().removeExpired(now)
  }
  return undefined
}
