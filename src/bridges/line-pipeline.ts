import { finishedText } from '../encode/finished-text.ts'
import { familyDelivery, type FamilyDelivery } from '../delivery/family-delivery.ts'
import { openOutlets, type Outlet } from '../delivery/outlets.ts'
import { exitOf, profiles } from '../delivery/profiles.ts'
import { Levels } from '../logger/levels.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { OnProblem } from '../record/problems.ts'
import { nothingMore, type Bound } from '../record/record.ts'
import { environmentProfile } from '../runtime/env.ts'
import { nodePlatform } from '../runtime/platform.ts'

/** The way of finished lines to a destination: queued, bounded, counted, and written when the process ends. */
export interface LinePipeline extends FamilyDelivery {
  /** Takes a line of a severity, with its end. Never throws. */
  push(line: string, severity: number): void
  /** What waits, in bytes. */
  readonly queuedBytes: number
}

/** @throws ConfigurationError when somebody else writes to the same destination with other options. */
export function linePipeline(exporter: Exporter, tell: OnProblem): LinePipeline {
  const profile = profiles[environmentProfile(tell) ?? 'service']
  const exit = exitOf({}, profile)
  const [outlet] = openOutlets(exporter, {
    platform: nodePlatform,
    levels: new Levels(),
    bound,
    clock: Date.now,
    exit,
    profile,
    tell,
  }) as [Outlet]
  const { processor, origin } = outlet.output
  const { account } = origin
  return {
    ...familyDelivery(nodePlatform, [outlet], exit.exitTimeoutMillis),
    push(line, severity) {
      account.emitted++
      try {
        processor.push(finishedText(line), severity, origin)
      } catch {
        account.accepted++
        account.drop('not_encoded', severity)
      }
    },
    get queuedBytes() {
      return processor.queuedBytes
    },
  }
}

/** A line says by itself who speaks. */
const bound: Bound = {
  scope: { ...nothingMore, name: undefined, version: undefined },
  resource: { attributes: new Map(), serviceName: undefined },
  attributes: new Map(),
  droppedAttributes: 0,
  messagePrefix: '',
  rendered: { by: undefined, value: undefined },
}
