import { plainRules } from '../encode/plain-data.ts'
import { createRecordResolver } from '../encode/walk/resolve.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import { publishedRecord, type PublishedRecord } from './published-record.ts'
import type { RecordHandler } from './record-handler.ts'

/** The part of a channel of `node:diagnostics_channel` that is used. */
export interface RecordChannel {
  readonly hasSubscribers: boolean
  /** Calls the subscribers. Must not throw what a subscriber throws. */
  publish(record: PublishedRecord): void
}

/** Whether subscribers are running. Records that they log are not published, which would call them again without end. */
let isPublishing = false

/**
 * Creates a handler that publishes each record to a channel while it has subscribers. The values of the record are then read here, and
 * `next` receives the result, so that user code still runs once for each record.
 */
export function recordChannelHandler(next: RecordHandler, channel: RecordChannel, rules: Rules): RecordHandler {
  // Created for the first subscriber.
  let resolve: ((record: LogRecord) => LogRecord) | undefined
  /** Handles records that are already data. */
  let nextForData: RecordHandler | undefined

  function publish(record: LogRecord): void {
    resolve ??= createRecordResolver(rules)
    const resolved = resolve(record)
    nextForData ??= next.withRules(dataRules(rules))
    nextForData.handle(resolved)
    isPublishing = true
    try {
      channel.publish(publishedRecord(resolved))
    } catch {
      // The stack is exhausted; the record is queued.
    } finally {
      isPublishing = false
    }
  }

  return {
    handle(record: LogRecord): void {
      if (!channel.hasSubscribers || isPublishing) next.handle(record)
      else publish(record)
    },
    withRules: (rules: Rules) => recordChannelHandler(next.withRules(rules), channel, rules),
    withSource: (source) => recordChannelHandler(next.withSource(source), channel, rules),
  }
}

/** Returns the rules for a record whose values are already data: only the limit on the size of a record still applies. */
function dataRules({ limits }: Rules): Rules {
  return { ...plainRules, limits: { ...plainRules.limits, recordBytes: limits.recordBytes } }
}
