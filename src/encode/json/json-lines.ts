import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import type { BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Rules } from '../../values/record-rules.ts'
import type { EncodedRecord, Encoding, RecordTarget } from '../encoding.ts'
import { boundAttributesFor, clashesWithBound } from '../bound-attributes.ts'
import { fitLine } from './fit-line.ts'
import type { LayoutName } from './layout-bases.ts'
import { resolveLayout, type Layout, type ResolvedLayout } from './layout.ts'
import { LineFields } from './line-fields.ts'
import { LongStrings, type LongLine } from './long-line.ts'
import { segmentsOf, memberText, type CachedSegments } from './cached-segments.ts'
import { escape } from './quote.ts'
import { TextWalk } from '../walk/text-walk.ts'
import { walkFormat } from '../walk-encoder.ts'
import type { WalkedRecord } from '../walk/walked-record.ts'

/**
 * Creates an encoding that writes JSON Lines: one JSON object (RFC 8259) per line, in the given layout.
 *
 * @param layout - the name of a layout, or a layout with its adjustments
 * @throws ConfigurationError if the layout is invalid.
 */
export function jsonLines(layout: LayoutName | Layout = 'sluice'): Encoding {
  const problems: ConfigurationProblem[] = []
  const resolved = resolveLayout(layout, 'layout', problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'jsonLines')
  return walkFormat({ key: 'json:' + layoutKey(resolved) }, (rules) => new LineTarget(resolved, rules))
}

/**
 * Returns a key that is the same for layouts that write the same text. Only strings are passed to
 * `JSON.stringify`, because a `toJSON` on Object.prototype could change the JSON of an object or array.
 */
function layoutKey(layout: ResolvedLayout): string {
  const {
    fields,
    omittedExceptionFields,
    level,
    time,
    trace,
    attributes,
    reservedNames,
    constants,
    severityNumber,
    project,
  } = layout
  const members = [...fields.map(({ field, key }) => [field, key] as const), ...constants]
  return [
    level,
    time,
    severityNumber,
    trace,
    JSON.stringify(project),
    attributes,
    // Reserved names have no effect if attributes are nested.
    ...(attributes === 'flat' ? reservedNames : []),
    ...omittedExceptionFields,
    ...members.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')),
  ].join()
}

/** Writes walked records as JSON lines. */
class LineTarget implements RecordTarget<string> {
  readonly walk: TextWalk
  private readonly rules: Rules
  private readonly deferredStrings: LongStrings
  private readonly fields: LineFields

  constructor(layout: ResolvedLayout, rules: Rules) {
    this.rules = rules
    this.deferredStrings = new LongStrings(rules.limits.recordBytes)
    this.walk = new TextWalk(rules.limits, this.deferredStrings, rules.redaction.patterns)
    this.fields = new LineFields(layout)
  }

  write(record: LogRecord, walked: WalkedRecord<string>): EncodedRecord {
    return this.line(record, walked) as EncodedRecord
  }

  release(): void {
    if (!this.deferredStrings.isEmpty) this.deferredStrings.clear()
  }

  /** Creates the segments of a bound state, which `segmentsOf` caches. */
  createSegments(bound: BoundState, members: string): CachedSegments {
    return this.fields.createSegments(this, bound, members)
  }

  private line(record: LogRecord, walked: WalkedRecord<string>): string | LongLine {
    const { attributes, message } = walked
    const { bound } = record
    const droppedCount = attributes.droppedCount + record.droppedAttributes
    const segments = segmentsOf(bound, this)
    const { recordBytes } = this.rules.limits
    const canReuseBoundText =
      attributes.omittedKeys === undefined &&
      (segments.members === '' || !clashesWithBound(bound, attributes.shapeLeaf))
    const areMembersInPlace = this.fields.places === undefined || this.areMembersInPlace(walked, segments)
    const canUseFastPath =
      canReuseBoundText &&
      areMembersInPlace &&
      droppedCount === 0 &&
      record.eventName === undefined &&
      this.fields.hasUsualOrder
    if (
      canUseFastPath &&
      message !== undefined &&
      message.length <= this.deferredStrings.maxImmediateLength &&
      this.deferredStrings.isEmpty
    ) {
      const line = this.fields.fastPathLine(record, message, segments, attributes.builtObject)
      // A UTF-16 unit takes at most three bytes, so a line of this length need not be measured.
      if (line.length * 3 <= recordBytes) return line
    }
    const boundMembers = canReuseBoundText
      ? segments.members
      : boundAttributesFor(bound, attributes)
          .map(([name, value]) => memberText(name, value))
          .join()
    return this.generalLine(
      record,
      walked,
      joinMembers(boundMembers, attributes.builtObject),
      droppedCount,
      areMembersInPlace,
    )
  }

  /** Returns the line of any record: members may belong in several places of the line, strings may be long, and the line may be cut. */
  private generalLine(
    record: LogRecord,
    { exceptionParts, message }: WalkedRecord<string>,
    members: string,
    droppedCount: number,
    areMembersInPlace: boolean,
  ): string | LongLine {
    const messageJson = message === undefined ? undefined : '"' + this.escaped(message) + '"'
    const buildLine = (currentMessage: string | undefined, currentMembers: string) =>
      this.fields.line(record, currentMessage, currentMembers, droppedCount, exceptionParts, areMembersInPlace)
    const line = buildLine(messageJson, members)
    if (!this.deferredStrings.isEmpty) return this.longLine(line, messageJson, members, buildLine)
    return line.length * 3 <= this.rules.limits.recordBytes ? line : this.fit(line, messageJson, members, buildLine)
  }

  private fit(line: string, messageJson: string | undefined, members: string, buildLine: BuildLine): string {
    const { recordBytes, onTruncated } = this.rules.limits
    const fitted = fitLine(line, recordBytes, messageJson, members, buildLine, this.fields.places?.maxAddedBytes)
    if (fitted !== line) onTruncated?.()
    return fitted
  }

  /** Returns whether all members of the record, bound ones included, are written where the layout writes attributes. */
  private areMembersInPlace({ attributes, exceptionParts }: WalkedRecord<string>, segments: CachedSegments): boolean {
    if (exceptionParts !== undefined || segments.hasReservedName) return false
    return !this.fields.places!.hasReservedName(attributes.shapeLeaf)
  }

  private escaped(message: string): string {
    return message.length > this.deferredStrings.maxImmediateLength
      ? this.deferredStrings.add(message)
      : escape(message)
  }

  /** Returns the line for text in which placeholders represent long strings. */
  private longLine(
    line: string,
    messageJson: string | undefined,
    members: string,
    buildLine: BuildLine,
  ): string | LongLine {
    const { deferredStrings } = this
    return (
      deferredStrings.line(line, this.rules.limits.recordBytes) ??
      this.fit(
        deferredStrings.expand(line),
        messageJson && deferredStrings.expand(messageJson),
        deferredStrings.expand(members),
        buildLine,
      )
    )
  }
}

/** Builds a line from a message, as JSON or undefined, and members. */
type BuildLine = (message: string | undefined, members: string) => string

/** Returns the bound members and those of the call, joined by a comma if there are both. */
function joinMembers(boundMembers: string, callMembers: string): string {
  return callMembers === '' || boundMembers === '' ? boundMembers + callMembers : boundMembers + ',' + callMembers
}
