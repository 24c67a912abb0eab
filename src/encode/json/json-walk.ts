import { defaultLimits, type ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { RedactState } from '../../redact/redact.ts'
import { noRules } from '../walk/walk.ts'
import { plainJson } from '../walk/dialect.ts'
import { quote } from './quote.ts'
import type { ShapeNode } from '../walk/shapes.ts'
import { TextWalk } from '../walk/text-walk.ts'

const noLimits: ResolvedLimits = {
  ...defaultLimits,
  depth: Infinity,
  attributes: Infinity,
  items: Infinity,
  recordBytes: Infinity,
}

/**
 * The walk over the data of `jsonData`. It writes what `JSON.stringify` writes, and also escapes DEL and C1 controls. NaN and the
 * infinities are null, a BigInt is written as digits, and there are no limits. A rule also redacts null and undefined, so that the text
 * does not show whether a secret is set.
 */
export class JsonWalk extends TextWalk {
  constructor(patterns?: TextPatterns) {
    super(noLimits, undefined, patterns, plainJson)
  }

  /** Returns data as JSON, without applying rules. */
  json(data: unknown): string | undefined {
    this.begin()
    return this.redactedValue(data, noRules, 1, '')
  }

  override redactedValue(value: unknown, state: RedactState, depth: number, key: string): string | undefined {
    const { censor } = state
    return censor === undefined
      ? this.value(value, state, depth, key)
      : this.censoredValue(value, censor, state, depth, key)
  }
  override ofString(value: string): string {
    return quote(value)
  }
  override ofMultilineString(value: string): string {
    return quote(value)
  }
  override ofLongString(value: string): string {
    return quote(value)
  }
  override ofNumber(value: number): string {
    return value - value === 0 ? String(value) : 'null'
  }
  override ofBigInt(value: bigint): string {
    return String(value)
  }
  override withText(object: string, node: ShapeNode, value: string): string {
    return super.withMember(object, node, quote(value), false)
  }
  /** Adds a member. In this walk, the closing quote is always written. */
  override withMember(object: string, node: ShapeNode, builtValue: string): string {
    return super.withMember(object, node, builtValue, false)
  }
  override withQuoteClosed(object: string): string {
    return object
  }
  override withEntry(object: string, key: string, builtValue: string): string {
    return (object === '' ? '{' : object + ',') + quote(key) + ':' + builtValue
  }
  override closeObject(object: string): string {
    return object === '' ? '{}' : object + '}'
  }
}
