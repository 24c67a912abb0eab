import { familyDelivery, type FamilyDelivery } from '../../../delivery/family-delivery.ts'
import { openOutlets } from '../../../delivery/outlets.ts'
import { exitOf, profiles } from '../../../delivery/profiles.ts'
import { encodingHandler } from '../../../handler/encoding-handler.ts'
import { plainRules } from '../../../encode/plain.ts'
import { Levels } from '../../../logger/levels.ts'
import type { Exporter } from '../../../pipeline/exporter.ts'
import type { OnProblem } from '../../../record/problems.ts'
import { nothingMore, type Bound, type LogRecord } from '../../../record/record.ts'
import { readEnvironment } from '../../../runtime/env.ts'
import { nodePlatform } from '../../../runtime/platform.ts'

/** Finished lines on their way to a destination: queued, bounded, counted, and written when the process ends. */
export interface LinePipeline extends FamilyDelivery {
  /** Puts a line into the queue. Never throws. */
  push(line: string, severity: number): void
}

/** @throws ConfigurationError when somebody else writes to the same destination with other options. */
export function linePipeline(exporter: Exporter, tell: OnProblem): LinePipeline {
  const profile = profiles[readEnvironment(tell).profile ?? 'service']
  const exit = exitOf({}, profile)
  const settings = { platform: nodePlatform, levels: new Levels(), bound: nobody, clock: Date.now, exit, profile, tell }
  const outlets = openOutlets(exporter, settings)
  const handler = encodingHandler(
    outlets.map(({ output }) => output),
    plainRules,
  )
  // One for all: it is valid until the handler returns, and no code of a user's runs meanwhile.
  const record: LogRecord = { ...nothingSaid }
  return {
    ...familyDelivery(nodePlatform, outlets, exit.exitTimeoutMillis),
    push(line, severity) {
      record.body = line
      record.severity = severity
      handler.handle(record)
    },
  }
}

/** A line says by itself who speaks. */
const nobody: Bound = {
  scope: { ...nothingMore, name: undefined, version: undefined },
  resource: { attributes: new Map(), serviceName: undefined },
  attributes: new Map(),
  droppedAttributes: 0,
  messagePrefix: '',
  rendered: { by: undefined, value: undefined },
}

const nothingSaid: LogRecord = {
  time: 0,
  exact: undefined,
  severity: 0,
  level: '',
  body: undefined,
  literal: true,
  args: undefined,
  extra: undefined,
  attributes: undefined,
  droppedAttributes: 0,
  exception: undefined,
  span: undefined,
  eventName: undefined,
  bound: nobody,
  enriched: undefined,
}
