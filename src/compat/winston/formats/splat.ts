import { format as printf } from 'node:util'
import { member } from '../../../options/own-members.ts'
import { copyContent } from '../safe-info.ts'
import { SPLAT, FILLED_MESSAGE, type Format } from '../info.ts'
import { fallbackJson } from '../fallback-json.ts'
import { defineFormat } from './format.ts'
import { addMembers, setMember } from '../../../options/define-member.ts'

/** The placeholders of a message. `%%` is a percent sign and consumes no argument. */
const placeholder = /%[scdjifoO%]/g

/** Replaces the placeholders of a message, printf style. The members of extra arguments are added to the info. */
export function splat(): Format {
  return defineFormat((info) => {
    const args = (info[SPLAT] ?? member(info, 'splat')) as unknown[] | undefined
    if (!Array.isArray(args) || args.length === 0) return info
    const message = member(info, 'message')
    const hasPlaceholders = hasPlaceholder(message)
    // The array belongs to this call. Extra arguments are removed from it, so that they are not merged again.
    const extraArgs = hasPlaceholders ? args.splice(countPlaceholders(message)) : takeMergeable(args)
    for (const meta of extraArgs) {
      // As in winston, the characters of a string become members.
      if (typeof meta === 'string') addMembers(info, Object(meta) as object)
      else copyContent(info, meta)
    }
    if (hasPlaceholders) {
      const text = fillPlaceholders(message, args)
      setMember(info, 'message', text)
      info[FILLED_MESSAGE] = { message, args, filled: text }
    }
    return info
  })()
}

function fillPlaceholders(message: unknown, args: readonly unknown[]): string {
  try {
    return printf(message, ...args)
  } catch {
    // `%j` of a value that contains a BigInt.
    return printf(message, ...args.map(jsonSafe))
  }
}

function jsonSafe(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'object' ? (JSON.parse(fallbackJson(value)) as unknown) : value
}

/** Returns the arguments to merge, and removes them. As in winston, a single one is kept in the list, because transports may read it. */
function takeMergeable(args: unknown[]): unknown[] {
  return args.length > 1 ? args.splice(0) : args
}

/** Returns the number of arguments that the placeholders of a message consume. */
export function countPlaceholders(message: unknown): number {
  if (typeof message !== 'string') return 0
  return (message.match(placeholder) ?? []).filter((token) => token !== '%%').length
}

/** Returns whether a message has placeholders, including `%%`. */
export function hasPlaceholder(message: unknown): boolean {
  return typeof message === 'string' && message.search(placeholder) >= 0
}
