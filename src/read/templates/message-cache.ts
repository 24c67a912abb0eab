import type { MessageTemplate } from './message-template.ts'

/** Longer messages are not cached. */
const maxLength = 256
const slots = 4_096

interface CachedMessage {
  readonly message: string
  readonly template: MessageTemplate
}

/**
 * Finds the template of a message by an earlier one that differs from it only in decimal digits. The text of such a template has no digits,
 * so both have the same template, with values of the same kinds.
 */
export class MessageCache {
  private readonly cached: (CachedMessage | undefined)[] = Array.from({ length: slots })
  private slot = -1

  /** Returns the template of a message; undefined if it is not cached. */
  find(message: string): MessageTemplate | undefined {
    this.slot = slotOf(message)
    const found = this.slot < 0 ? undefined : this.cached[this.slot]
    return found !== undefined && differsInDigits(found.message, message) ? found.template : undefined
  }

  /** Caches the template of the message that was not found last, if its text has no digits. */
  add(message: string, template: MessageTemplate): void {
    if (this.slot >= 0 && !/\d/.test(template.key)) this.cached[this.slot] = { message, template }
  }
}

/** Returns the slot of a message, which does not depend on the values of its digits; -1 if it cannot be cached. */
function slotOf(message: string): number {
  const { length } = message
  if (length > maxLength) return -1
  let hash = length
  let last = 0
  for (let at = 0; at < length; at++) {
    const unit = message.charCodeAt(at)
    // The prefix `0x` is the only place where the value of a digit matters.
    if ((unit === 0x78 || unit === 0x58) && last === 0x30) return -1
    last = unit
    hash = (Math.imul(hash, 31) + withoutValue(unit)) | 0
  }
  return (hash ^ (hash >>> 15)) & (slots - 1)
}

/** Returns whether two texts differ in nothing but the values of decimal digits. */
function differsInDigits(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) {
    if (withoutValue(one.charCodeAt(at)) !== withoutValue(other.charCodeAt(at))) return false
  }
  return true
}

function withoutValue(unit: number): number {
  return unit >= 0x30 && unit <= 0x39 ? 0x30 : unit
}
