import type { RecordHandler } from '../handler/record-handler.ts'
import type { LevelChangeEvent } from '../levels/level-layer.ts'
import type { LevelReporter } from '../levels/level-reporters.ts'
import { BoundState } from '../record/bound.ts'
import { standardSeverities } from '../record/severity.ts'
import type { Rules } from '../values/record-rules.ts'
import { createEmitRecord, type RecordCore } from './emit.ts'

/**
 * Creates what writes a record for each change of level directives: of level info, whatever the level of the logger, with the event
 * name `sluice.level_changed`.
 *
 * @param handler - the handler without the user's own, which could drop the record
 */
export function createLevelReporter(
  core: Pick<RecordCore, 'allCounters' | 'clock'>,
  handler: RecordHandler,
  rules: Rules,
  bound: BoundState,
): LevelReporter {
  const emit = createEmitRecord(
    { ...core, contextAttributes: () => undefined, activeSpan: undefined },
    handler,
    rules,
    // Use the logger's scope and resource without its attributes, which do not describe the change.
    BoundState.ofSource(bound),
  )
  return {
    report(event) {
      if (core.allCounters.every(({ isClosed }) => isClosed)) return false
      emit(standardSeverities.info, 'info', (record) => {
        record.body = levelChangeMessage(event)
        record.keepsBraces = true
        record.attributes = levelChangeAttributes(event)
        record.eventName = levelChangeEventName
      })
      return true
    },
  }
}

/** The event name of the records of changes. */
export const levelChangeEventName: string = 'sluice.level_changed'

/** Returns the message of the record of a change. */
export function levelChangeMessage({ action, layer: { text, source, by, until } }: LevelChangeEvent): string {
  if (action === 'expired') return `log level directives expired: ${text}`
  if (action === 'reverted') return `log level directives reverted: ${text}`
  const origin = source + (by === undefined ? '' : ` (${by})`)
  return `log level directives set by ${origin}${until === undefined ? '' : ` until ${isoTime(until)}`}: ${text}`
}

/** Returns the attributes of the record of a change. */
export function levelChangeAttributes({ action, layer, from, to }: LevelChangeEvent): object {
  const { text, source, by, remoteAddress, until, ignored } = layer
  return {
    action,
    directives: text,
    source,
    ...(by !== undefined && { by }),
    ...(remoteAddress !== undefined && { 'client.address': remoteAddress }),
    ...(until !== undefined && { until: isoTime(until) }),
    ...(ignored !== undefined && { ignored }),
    from,
    to,
  }
}

function isoTime(millis: number): string {
  return new Date(millis).toISOString()
}
