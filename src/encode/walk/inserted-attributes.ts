import { numberText } from '../json/number-text.ts'
import { plainText } from '../plain-data.ts'
import { durationText } from '../template/duration-text.ts'
import type { Walk } from './walk.ts'

type Scalar = string | number | boolean

/** The values of the attributes that a message inserts, collected during the walk. */
export class InsertedAttributes<T> {
  private names: readonly string[] = []
  // For each name, either a redacted scalar or the value that the walk has built.
  private scalars: (Scalar | undefined)[] = []
  private builtValues: (T | undefined)[] = []

  /** Resets the state, and sets the names that the message inserts. */
  begin(names: readonly string[]): this {
    this.names = names
    for (let i = 0; i < names.length; i++) {
      this.scalars[i] = undefined
      this.builtValues[i] = undefined
    }
    return this
  }

  /** Keeps a redacted scalar if the message inserts it. */
  setScalar(name: string, value: Scalar): void {
    const index = this.names.indexOf(name)
    if (index >= 0) this.scalars[index] = value
  }

  /** Keeps a value if the message inserts it. */
  set(name: string, builtValue: T): void {
    const index = this.names.indexOf(name)
    if (index >= 0) this.builtValues[index] = builtValue
  }

  /** Returns a value as text, or as JSON if `asJson` is true; undefined if neither the call nor `enrich` has set this attribute. */
  text(name: string, asJson: boolean, walk: Walk<T, T, T>): string | undefined {
    const index = this.names.indexOf(name)
    const scalar = this.scalars[index]
    if (scalar !== undefined) return scalarText(scalar, asJson)
    const builtValue = this.builtValues[index]
    return builtValue === undefined ? undefined : walk.textForMessage(builtValue, asJson)
  }

  /** Returns a number of seconds, or its text, as a duration; undefined if the attribute was not set or is not a finite number. */
  duration(name: string, walk: Walk<T, T, T>): string | undefined {
    const index = this.names.indexOf(name)
    const value: unknown = this.scalars[index] ?? this.builtValues[index]
    const seconds = typeof value === 'number' ? value : Number(this.text(name, false, walk) || NaN)
    return Number.isFinite(seconds) ? durationText(seconds) : undefined
  }
}

function scalarText(value: Scalar, asJson: boolean): string {
  if (typeof value === 'string' && !asJson) return value
  // The difference is 0 for finite numbers and NaN for others.
  return typeof value === 'number' && value - value === 0 ? numberText(value) : plainText(value, asJson)
}
