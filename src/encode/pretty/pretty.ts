import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Rules } from '../../values/record-rules.ts'
import { boundAttributesFor, clashesWithBound } from '../bound-attributes.ts'
import type { EncodedRecord, Encoding, RecordTarget } from '../encoding.ts'
import { plainText } from '../plain-data.ts'
import { parseTemplate } from '../template/template.ts'
import { ValueWalk } from '../walk/value-walk.ts'
import { walkFormat } from '../walk-encoder.ts'
import type { WalkedRecord } from '../walk/walked-record.ts'
import { TerminalRenderer } from './renderer.ts'
import { settingsOf, type PrettyOptions } from './settings.ts'
import type { OutputDevice, TerminalRecord } from './terminal-record.ts'

/**
 * Creates an encoding that writes human-readable lines.
 *
 * @param options - checked options
 */
export function prettyEncoding(options: PrettyOptions, device: OutputDevice): Encoding {
  const settings = settingsOf(options)
  const key = `${keyPrefix}${settings.key}\0${device.key}`
  // Children with their own rules have other targets, but write to the same output.
  const renderer = new TerminalRenderer(settings, device)
  return walkFormat({ key }, (rules) => new PrettyTarget(rules, renderer))
}

/** Returns whether an encoding is one of `prettyEncoding`. */
export function isPretty({ key }: Encoding): boolean {
  return key.startsWith(keyPrefix)
}

const keyPrefix = 'pretty:'

class PrettyTarget implements RecordTarget<AnyValue> {
  readonly walk: ValueWalk
  private readonly renderer: TerminalRenderer

  constructor(rules: Rules, renderer: TerminalRenderer) {
    this.walk = new ValueWalk(rules)
    this.renderer = renderer
  }

  write(record: LogRecord, walked: WalkedRecord<AnyValue>): EncodedRecord {
    return this.renderer.render(terminalRecordOf(record, walked)) as EncodedRecord
  }

  release(): void {
    // No state is kept for a record.
  }
}

function terminalRecordOf(record: LogRecord, walked: WalkedRecord<AnyValue>): TerminalRecord {
  const { bound, span, body } = record
  const { attributes, message, structuredBody } = walked
  const template = typeof body === 'string' && !record.keepsBraces ? parseTemplate(body) : undefined
  return {
    prefix: undefined,
    time: record.time,
    level: record.level,
    severity: record.severity,
    scope: bound.scope.name,
    eventName: record.eventName,
    message: structuredBody === undefined ? message : plainText(structuredBody),
    insertedNames: template?.names ?? noNames,
    attributes: attributes.builtObject as AnyValueMap,
    boundAttributes: boundAttributesOf(record, attributes),
    traceId: span?.traceId,
  }
}

const noNames: readonly string[] = []

function boundAttributesOf(
  { bound }: LogRecord,
  attributes: WalkedRecord<AnyValue>['attributes'],
): TerminalRecord['boundAttributes'] {
  if (bound.names.size === 0) return noAttributes
  const keepsAllBound = attributes.omittedKeys === undefined && !clashesWithBound(bound, attributes.shapeLeaf)
  return keepsAllBound ? bound.attributes : boundAttributesFor(bound, attributes)
}

const noAttributes: TerminalRecord['boundAttributes'] = []
