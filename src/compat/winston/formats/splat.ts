import { format as printf } from 'node:util'
import { member } from '../../../options/own-members.ts'
import { assignRead } from '../safe-info.ts'
import { SPLAT, TEMPLATE, type Format } from '../info.ts'
import { totalJson } from '../total-json.ts'
import { formatOf } from './format.ts'
import { addMembers, setMember } from '../../../options/define-member.ts'

/** What a message asks arguments for; `%%` is a percent sign and asks for none. */
const placeholder = /%[scdjifoO%]/g

/** Fills the placeholders of a message, printf style; what is left of the arguments adds its members to the info. */
export function splat(): Format {
  return formatOf((info) => {
    const args = (info[SPLAT] ?? member(info, 'splat')) as unknown[] | undefined
    if (!Array.isArray(args) || args.length === 0) return info
    const message = member(info, 'message')
    const isAsked = hasPlaceholder(message)
    // The arguments are an array of the call's own, and what has been used must not be used again.
    const more = isAsked ? args.splice(placeholders(message)) : taken(args)
    for (const meta of more) {
      // The letters of a text become members: odd, but what winston writes.
      if (typeof meta === 'string') addMembers(info, Object(meta) as object)
      else assignRead(info, meta)
    }
    if (isAsked) {
      const text = filled(message, args)
      setMember(info, 'message', text)
      info[TEMPLATE] = { message, args, filled: text }
    }
    return info
  })()
}

function filled(message: unknown, args: readonly unknown[]): string {
  try {
    return printf(message, ...args)
  } catch {
    // %j of a BigInt, wherever it stands
    return printf(message, ...args.map(jsonSafe))
  }
}

function jsonSafe(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'object' ? (JSON.parse(totalJson(value)) as unknown) : value
}

/** A single one stays where it is, as winston has it: transports that look for it find it. */
function taken(args: unknown[]): unknown[] {
  return args.length > 1 ? args.splice(0) : args
}

/** How many arguments a message asks for. */
export function placeholders(message: unknown): number {
  if (typeof message !== 'string') return 0
  return (message.match(placeholder) ?? []).filter((token) => token !== '%%').length
}

/** Whether a message has placeholders, `%%` included. */
export function hasPlaceholder(message: unknown): boolean {
  return typeof message === 'string' && message.search(placeholder) >= 0
}
