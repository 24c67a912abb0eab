import { plainText } from '../../encode/plain.ts'
import type { Bytes } from '../../encode/members.ts'
import type { ShapeNode } from '../../encode/shapes.ts'
import { Walk } from '../../encode/walk.ts'
import type { AnyValue } from '../../record/any-value.ts'
import { define } from '../../record/define.ts'
import type { Rules } from '../../rules/rules.ts'

type Plain = Record<string, unknown>

/** Builds plain objects and arrays, as formats of users expect them: no code of anybody is reachable from them. */
export class PlainWalk extends Walk<unknown, Plain, unknown[]> {
  constructor({ limits, redaction }: Pick<Rules, 'limits' | 'redaction'>) {
    super(limits, undefined, redaction.patterns)
  }

  override ofLines(value: string): unknown {
    return value
  }
  override ofString(value: string): unknown {
    return value
  }
  protected override ofNumber(value: number): unknown {
    return Number.isFinite(value) ? value : String(value)
  }
  protected override ofBoolean(value: boolean): unknown {
    return value
  }
  protected override ofBigInt(value: bigint): unknown {
    return value
  }
  protected override ofNull(): unknown {
    return null
  }
  protected override ofBytes(value: Bytes): unknown {
    return value.text()
  }
  override object(): Plain {
    return {}
  }
  override withMember(object: Plain, node: ShapeNode, part: unknown): Plain {
    return withOwn(object, node.name, part)
  }
  override withText(object: Plain, node: ShapeNode, value: string): Plain {
    return withOwn(object, node.name, value)
  }
  override settled(object: Plain): Plain {
    return object
  }
  protected override withEntry(object: Plain, key: string, part: unknown): Plain {
    return withOwn(object, key, part)
  }
  protected override closeObject(object: Plain): unknown {
    return object
  }
  protected override array(): unknown[] {
    return []
  }
  protected override withItem(array: unknown[], part: unknown): unknown[] {
    array.push(part)
    return array
  }
  protected override closeArray(array: unknown[]): unknown {
    return array
  }
  /** Nothing asks for it: formats fill messages. */
  override inserted(part: unknown, json: boolean): string {
    return typeof part === 'string' && !json ? part : plainText(part as AnyValue, json)
  }
}

/** Adds a member of any name. Assigned, one called `__proto__` would be the object's prototype. */
export function withOwn(object: Plain, key: string, value: unknown): Plain {
  if (key === '__proto__') define(object, key, { value, enumerable: true, writable: true, configurable: true })
  else object[key] = value
  return object
}
