import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import { AttributesWalk } from './attributes.ts'
import { RecordWalk } from './record-walk.ts'
import { ValueWalk } from './value-walk.ts'

/**
 * Walks a record once for several formats: what comes back holds data only, redacted, and says the same line in each
 * format as the record itself would. It is to be encoded by `plainRules`.
 */
export function resolveRecord(record: LogRecord, rules: Rules): LogRecord {
  const walk = new RecordWalk(new ValueWalk(rules.limits), rules)
  walk.read(record)
  const { object, dropped } = walk.attributes
  return {
    ...record,
    body: walk.message,
    // The prefix stands in the message already.
    bound: { ...record.bound, messagePrefix: '', rendered: { by: undefined, value: undefined } },
    literal: true,
    args: undefined,
    extra: undefined,
    attributes: object,
    exception: undefined,
    enriched: undefined,
    droppedAttributes: dropped,
  }
}

/** Takes snapshots of attributes by one set of rules: redacted data that no later change of the caller's objects reaches. */
export class Resolver {
  private readonly rules: Rules
  private readonly walk: ValueWalk
  private readonly top: AttributesWalk<AnyValue, Map<string, AnyValue>, AnyValue[]>
  private busy = false

  constructor(rules: Rules) {
    this.rules = rules
    this.walk = new ValueWalk(rules.limits)
    this.top = new AttributesWalk(this.walk, rules)
  }

  resolve(attributes: object): { readonly attributes: AnyValueMap; readonly dropped: number } {
    // User code inside the walk may make a child logger.
    if (this.busy) return new Resolver(this.rules).resolve(attributes)
    this.busy = true
    try {
      const { top } = this
      this.walk.begin()
      top.begin(0)
      top.write(attributes)
      // No call, so no exception: an Error that is bound stays an attribute.
      top.exception(undefined, false)
      return { attributes: top.object, dropped: top.dropped }
    } finally {
      this.busy = false
    }
  }
}
