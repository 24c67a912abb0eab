import { inspect } from 'node:util'
import { define } from '../../options/define-member.ts'

/**
 * The text of an object that was an argument of a call. Formats show it as the text; it has no members, so that none of its letters
 * become members of an info.
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

// What `util.inspect` and `util.format` show.
define(InfoText.prototype, inspect.custom, {
  value(this: InfoText, _: number, options: object) {
    return inspect(this.toString(), options)
  },
})
