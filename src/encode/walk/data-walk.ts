import type { AnyValue } from '../../record/any-value.ts'
import type { Rules } from '../../values/record-rules.ts'
import { plainText } from '../plain-data.ts'
import type { ShapeNode } from './shapes.ts'
import { Walk } from './walk.ts'

/** The base of the walks that build data instead of text: values are `V`, objects are `O`, arrays are JavaScript arrays. */
export abstract class DataWalk<V, O extends V> extends Walk<V, O, V & V[]> {
  constructor({ limits, redaction }: Pick<Rules, 'limits' | 'redaction'>) {
    super(limits, undefined, redaction.patterns)
  }

  /** Adds a member under a key, which may be any text. */
  protected abstract withKey(object: O, key: string, builtValue: V): O

  override ofMultilineString(value: string): V {
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
  override withMember(object: O, node: ShapeNode, builtValue: V): O {
    return this.withKey(object, node.name, builtValue)
  }
  override withText(object: O, node: ShapeNode, value: string): O {
    return this.withKey(object, node.name, value as V)
  }
  override withQuoteClosed(object: O): O {
    return object
  }
  override withEntry(object: O, key: string, builtValue: V): O {
    return this.withKey(object, key, builtValue)
  }
  override closeObject(object: O): V {
    return object
  }
  override newArray(): V & V[] {
    return [] as V[] as V & V[]
  }
  override withItem(array: V & V[], builtValue: V): V & V[] {
    array.push(builtValue)
    return array
  }
  override closeArray(array: V & V[]): V {
    return array
  }
  override textForMessage(builtValue: V, asJson: boolean): string {
    return typeof builtValue === 'string' && !asJson ? builtValue : plainText(builtValue as AnyValue, asJson)
  }
}
