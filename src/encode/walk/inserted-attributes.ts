import { numberText } from '../json/number-text.ts'
import { plainText } from '../plain.ts'
import type { Walk } from './walk.ts'

type Scalar = string | number | boolean

/** The values of the attributes that a message inserts, collected during the walk. */
export class InsertedAttributes<T> {
  private names: readonly string[] = []
  // For each name, either a redacted scalar or the value that the walk has built.
  private scalars: (Scalar | undefined)[] = []
  private parts: (T | undefined)[] = []

  /** Resets the state, and sets the names that the message inserts. */
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

  /** Returns a value as text or as JSON; undefined if the record does not have this name. */
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
