import { finishedText } from '../../encode/finished-text.ts'
import { familyDelivery, type FamilyDelivery } from '../../delivery/family-delivery.ts'
import { openOutlets, type Outlet } from '../../delivery/outlets.ts'
import { Levels } from '../../logger/levels.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnProblem } from '../../record/problems.ts'
import { nothingMore, type Bound } from '../../record/record.ts'
import { nodePlatform } from '../../runtime/platform.ts'

/** The way of finished lines through a bounded queue to an exporter, drained when the process ends. */
export interface LinePipeline extends FamilyDelivery {
  /** Takes a line of a severity. Never throws. */
  push(line: string, severity: number): void
  /** What waits, in bytes. */
  readonly queuedBytes: number
}

const exitTimeoutMillis = 2_000

export function linePipeline(exporter: Exporter, tell: OnProblem): LinePipeline {
  const bound: Bound = {
    scope: { ...nothingMore, name: undefined, version: undefined },
    resource: { attributes: new Map(), serviceName: undefined },
    attributes: new Map(),
    droppedAttributes: 0,
    messagePrefix: '',
    rendered: { by: undefined, value: undefined },
  }
  const [outlet] = openOutlets(exporter, {
    platform: nodePlatform,
    levels: new Levels(),
    bound,
    clock: Date.now,
    exit: { handleExit: true, handleSignals: true, exitTimeoutMillis },
    profile: undefined,
    tell,
  }) as [Outlet]
  const { processor, origin } = outlet.output
  const { account } = origin
  return {
    ...familyDelivery(nodePlatform, [outlet], exitTimeoutMillis),
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
