import { numberText } from '../json/number-text.ts'
import { plainText } from '../plain.ts'
import type { Walk } from './walk.ts'

type Scalar = string | number | boolean

/** The values of the attributes that a message inserts, collected when the walk reads them. */
export class InsertedAttributes<T> {
  private names: readonly string[] = []
  /** By name, a redacted scalar, or else the value that the walk has built. */
  private scalars: (Scalar | undefined)[] = []
  private parts: (T | undefined)[] = []

  /** Forgets the last record, and expects the names of a message. */
  begin(names: readonly string[]): this {
    this.names = names
    for (let i = 0; i < names.length; i++) {
      this.scalars[i] = undefined
      this.parts[i] = undefined
    }
    return this
  }

  /** Keeps a redacted scalar if the message inserts it. */
  setScalar(name: string, value: Scalar): void {
    const index = this.names.indexOf(name)
    if (index >= 0) this.scalars[index] = value
  }

  /** Keeps a value if the message inserts it. */
  set(name: string, part: T): void {
    const index = this.names.indexOf(name)
    if (index >= 0) this.parts[index] = part
  }

  /** The value as text, or as JSON; undefined where the record has none of this name. */
  text(name: string, json: boolean, walk: Walk<T, T, T>): string | undefined {
    const index = this.names.indexOf(name)
    const scalar = this.scalars[index]
    if (scalar !== undefined) return scalarText(scalar, json)
    const part = this.parts[index]
    return part === undefined ? undefined : walk.inserted(part, json)
  }
}

function scalarText(value: Scalar, json: boolean): string {
  if (typeof value === 'string' && !json) return value
  return typeof value === 'number' && value - value === 0 ? numberText(value) : plainText(value, json)
}
