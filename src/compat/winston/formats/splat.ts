import { format as printf } from 'node:util'
import { member } from '../../../options/own-members.ts'
import { assignRead } from '../safe-info.ts'
import { SPLAT, TEMPLATE, type Format } from '../info.ts'
import { totalJson } from '../total-json.ts'
import { formatOf } from './format.ts'
import { addMembers, setMember } from '../../../options/define-member.ts'

/** The placeholders of a message. `%%` is a percent sign and consumes no argument. */
const placeholder = /%[scdjifoO%]/g

/** Replaces the placeholders of a message, printf style. The members of extra arguments are added to the info. */
export function splat(): Format {
  return formatOf((info) => {
    const args = (info[SPLAT] ?? member(info, 'splat')) as unknown[] | undefined
    if (!Array.isArray(args) || args.length === 0) return info
    const message = member(info, 'message')
    const hasPlaceholders = hasPlaceholder(message)
    // The array belongs to this call. Consumed arguments are removed, so that they are not used again.
    const more = hasPlaceholders ? args.splice(placeholders(message)) : mergeable(args)
    for (const meta of more) {
      // As in winston, the characters of a string become members.
      if (typeof meta === 'string') addMembers(info, Object(meta) as object)
      else assignRead(info, meta)
    }
    if (hasPlaceholders) {
      const text = fillPlaceholders(message, args)
      setMember(info, 'message', text)
      info[TEMPLATE] = { message, args, filled: text }
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
  return typeof value === 'object' ? (JSON.parse(totalJson(value)) as unknown) : value
}

/** Returns the arguments to merge. As in winston, a single one is kept in the list, because transports may read it. */
function mergeable(args: unknown[]): unknown[] {
  return args.length > 1 ? args.splice(0) : args
}

/** Returns the number of arguments that the placeholders of a message consume. */
export function placeholders(message: unknown): number {
  if (typeof message !== 'string') return 0
  return (message.match(placeholder) ?? []).filter((token) => token !== '%%').length
}

/** Returns whether a message has placeholders, including `%%`. */
export function hasPlaceholder(message: unknown): boolean {
  return typeof message === 'string' && message.search(placeholder) >= 0
}
