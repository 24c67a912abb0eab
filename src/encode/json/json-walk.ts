import { defaultLimits, type ResolvedLimits } from '../../values/limits.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { RedactState } from '../../redact/redact.ts'
import { noRules } from '../walk/walk.ts'
import { plainJson } from '../walk/dialect.ts'
import { quote } from './quote.ts'
import type { ShapeNode } from '../walk/shapes.ts'
import { TextWalk } from '../walk/text-walk.ts'

const unlimited: ResolvedLimits = {
  ...defaultLimits,
  depth: Infinity,
  attributes: Infinity,
  items: Infinity,
  recordBytes: Infinity,
}

/**
 * The walk over the data of `jsonData`. It writes what `JSON.stringify` writes, and also escapes DEL and C1 controls. NaN is null, a BigInt
 * is written as digits, and there are no limits. A rule also redacts null and undefined, so that the text does not show whether a secret
 * is set.
 */
export class JsonWalk extends TextWalk {
  constructor(patterns?: TextPatterns) {
    super(unlimited, undefined, patterns, plainJson)
  }

  /** Returns data as JSON, without applying rules. */
  json(data: unknown): string | undefined {
    this.begin()
    return this.place(data, noRules, 1, '')
  }

  override place(value: unknown, state: RedactState, depth: number, key: string): string | undefined {
    const { censor } = state
    return censor === undefined ? this.value(value, state, depth, key) : this.censored(value, censor, state, depth, key)
  }
  override ofString(value: string): string {
    return quote(value)
  }
  override ofLines(value: string): string {
    return quote(value)
  }
  override ofLong(value: string): string {
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
  /** Adds a member and never leaves a text open. */
  override withMember(object: string, node: ShapeNode, part: string): string {
    return super.withMember(object, node, part, false)
  }
  override settled(object: string): string {
    return object
  }
  override withEntry(object: string, key: string, part: string): string {
    return (object === '' ? '{' : object + ',') + quote(key) + ':' + part
  }
  override closeObject(object: string): string {
    return object === '' ? '{}' : object + '}'
  }
}
