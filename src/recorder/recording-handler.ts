import type { RecordHandler } from '../handler/record-handler.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { HeldEncoder } from './held-encoder.ts'
import type { Recorder } from './recorder.ts'

/** Creates the last handler of records that are written: a severe one releases the held records of its key first. */
export function triggeringHandler(recorder: Recorder, next: RecordHandler): RecordHandler {
  return {
    handle(record: LogRecord): void {
      recorder.beforeWrite(record)
      next.handle(record)
    },
    withRules: (rules: Rules) => triggeringHandler(recorder, next.withRules(rules)),
    withSource: (source) => triggeringHandler(recorder, next.withSource(source)),
  }
}

/** Creates the last handler of records below the logger's level: it holds them, or writes them if their key was triggered. */
export function holdingHandler(recorder: Recorder, encoder: HeldEncoder, next: RecordHandler): RecordHandler {
  return {
    handle: (record: LogRecord) => recorder.hold(record, encoder, next),
    withRules: (rules: Rules) => holdingHandler(recorder, encoder.withRules(rules), next.withRules(rules)),
    withSource: (source) => holdingHandler(recorder, encoder.withSource(source), next.withSource(source)),
  }
}

/**
 * Creates the first handler of a logger with a flight recorder.
 *
 * @param written - handles records at the logger's level or above
 * @param held - handles records below it
 */
export function recordingHandler(written: RecordHandler, held: RecordHandler): RecordHandler {
  return {
    handle: (record: LogRecord) => written.handle(record),
    hold: (record: LogRecord) => held.handle(record),
    withRules: (rules: Rules) => recordingHandler(written.withRules(rules), held.withRules(rules)),
    withSource: (source) => recordingHandler(written.withSource(source), held.withSource(source)),
  }
}
