import { inspect } from 'node:util'
import { base64 } from '../../encode/json/base64.ts'
import { define } from '../../options/define-member.ts'

/**
 * Bytes in an info. Formats show them as base64 text, but the rules of a transport still receive the bytes, because patterns would not
 * match the text.
 */
export class InfoBytes extends Uint8Array {
  /** Returns the bytes as base64, as lines contain them. */
  toJSON(): string {
    return base64(this)
  }
  override toString(): string {
    return base64(this)
  }
}

// The text that `util.inspect` and `util.format` display.
define(InfoBytes.prototype, inspect.custom, {
  value(this: InfoBytes, _: number, options: object) {
    return inspect(base64(this), options)
  },
})
