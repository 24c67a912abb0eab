import { inspect } from 'node:util'
import { define } from '../../options/define-member.ts'

/**
 * The text of an object that was an argument of a call. Formats display it as text. It has no members, so that formats do not add its
 * characters as members of an info.
 */
export class InfoText {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toJSON(): string {
    return this.#text
  }
  toString(): string {
    return this.#text
  }
}

// The text that `util.inspect` and `util.format` display.
define(InfoText.prototype, inspect.custom, {
  value(this: InfoText, _: number, options: object) {
    return inspect(this.toString(), options)
  },
})
