import { inspect } from 'node:util'
import { base64 } from '../../encode/json/base64.ts'
import { define } from '../../options/define-member.ts'

/**
 * Bytes in an info. Formats show them as base64 text, and rules of a transport see the bytes: a pattern would find nothing in
 * the text.
 */
export class InfoBytes extends Uint8Array {
  /** Base64, as lines have it. */
  toJSON(): string {
    return base64(this)
  }
  override toString(): string {
    return base64(this)
  }
}

// What `util.inspect` and `util.format` show.
define(InfoBytes.prototype, inspect.custom, {
  value(this: InfoBytes, _: number, options: object) {
    return inspect(base64(this), options)
  },
})
