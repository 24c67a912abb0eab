import { Resolver } from '../encode/walk/resolve.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import type { LevelReporter } from '../levels/level-reporters.ts'
import { BoundState } from '../record/bound.ts'
import { standardSeverities } from '../record/severity.ts'
import type { Rules } from '../values/record-rules.ts'
import { createEmitRecord, type RecordCore } from './emit.ts'
import { levelChangeEventName, levelChangeRecord } from './level-change-record.ts'

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
  const resolver = new Resolver(rules)
  const redact = (key: string, value: unknown) => resolver.snapshot({ [key]: value }).values[0]
  return {
    report(event) {
      if (core.allCounters.every(({ isClosed }) => isClosed)) return false
      const { message, attributes } = levelChangeRecord(event, redact)
      emit(standardSeverities.info, 'info', (record) => {
        record.body = message
        record.keepsBraces = true
        record.attributes = attributes
        record.eventName = levelChangeEventName
      })
      return true
    },
  }
}
