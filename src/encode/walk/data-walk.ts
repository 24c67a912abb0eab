import type { AnyValue } from '../../record/any-value.ts'
import type { Rules } from '../../values/record-rules.ts'
import { plainText } from '../plain.ts'
import type { ShapeNode } from './shapes.ts'
import { Walk } from './walk.ts'

/** Base of the walks that build data instead of text: values are `V`, objects are `O`. */
export abstract class DataWalk<V, O extends V> extends Walk<V, O, V & V[]> {
  constructor({ limits, redaction }: Pick<Rules, 'limits' | 'redaction'>) {
    super(limits, undefined, redaction.patterns)
  }

  /** Adds a member with any name. */
  protected abstract with(object: O, key: string, part: V): O

  override ofLines(value: string): V {
    return value as V
  }
  override ofString(value: string): V {
    return value as V
  }
  override ofNumber(value: number): V {
    return value as V
  }
  override ofBoolean(value: boolean): V {
    return value as V
  }
  override ofBigInt(value: bigint): V {
    return value as V
  }
  override ofNull(): V {
    return null as V
  }
  override withMember(object: O, node: ShapeNode, part: V): O {
    return this.with(object, node.name, part)
  }
  override withText(object: O, node: ShapeNode, value: string): O {
    return this.with(object, node.name, value as V)
  }
  override settled(object: O): O {
    return object
  }
  override withEntry(object: O, key: string, part: V): O {
    return this.with(object, key, part)
  }
  override closeObject(object: O): V {
    return object
  }
  override array(): V & V[] {
    return [] as V[] as V & V[]
  }
  override withItem(array: V & V[], part: V): V & V[] {
    array.push(part)
    return array
  }
  override closeArray(array: V & V[]): V {
    return array
  }
  override inserted(part: V, json: boolean): string {
    return typeof part === 'string' && !json ? part : plainText(part as AnyValue, json)
  }
}
