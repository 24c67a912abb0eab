import { faultRecord, type FaultRecord } from '../faults/harness/records.ts'
import type { Random } from './random.ts'

/** The levels of records. */
export type SoakLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** The attributes of a record. */
export interface SoakAttributes extends FaultRecord {
  /** The level that it was logged with. */
  readonly loggedLevel: SoakLevel
  /** A long text of `y`, which is truncated if the record exceeds its limit. */
  readonly bulk?: string
  readonly bulkLength?: number
}

/** A record before it is logged. */
export interface SoakRecord {
  readonly level: SoakLevel
  readonly message: string
  readonly attributes: SoakAttributes & Readonly<Record<string, unknown>>
  readonly error: Error | undefined
  /** Whether a child logger logs it. */
  readonly byChild: boolean
}

/** A secret in every place that is redacted. It must never be written. */
export const canary = 'c4n4ry-of-the-soak'
/** The redaction rules for the places in `canaries`. */
export const redact: { readonly paths: readonly string[]; readonly keys: readonly string[] } = {
  paths: ['card.number', 'account.pin', '**.pin', 'err.message'],
  keys: ['password', 'sessionToken'],
}
/** The attributes of child loggers. */
export const childAttributes: object = { requestId: 'r-1', session_token: canary }

/** Creates a record with a random level, or `fatal`. */
export function soakRecord(random: Random, run: string, pid: number, seq: number, fatal = false): SoakRecord {
  const level = fatal ? 'fatal' : levels[random.whole(0, levels.length - 1)]!
  const size = sizeOf(random)
  // A text that is longer than the record limit is not part of the hash.
  const isBulk = size > 131_072
  const record = faultRecord(run, pid, seq, isBulk ? 10 : size)
  const bulk = isBulk ? { bulk: 'y'.repeat(size), bulkLength: size } : {}
  const hasCanary = random.chance(0.1)
  return {
    level,
    message: messageOf(seq),
    attributes: { ...record, loggedLevel: level, ...bulk, ...(hasCanary ? canaries() : {}) },
    error: level === 'error' || level === 'fatal' ? new TypeError(`of ${canary}`) : undefined,
    byChild: random.chance(0.2),
  }
}

/** Returns the message of a record as it is logged. */
export function messageOf(seq: number): string {
  return messages[seq % messages.length]!
}

/** Returns the message of a record as it arrives. */
export function arrivedMessage(seq: number): string {
  return messageOf(seq).replace('{seq}', String(seq))
}

const levels: readonly SoakLevel[] = ['debug', 'info', 'info', 'info', 'info', 'info', 'warn', 'error']
const messages = [
  'as plain as can be',
  'record {seq} is logged',
  'quotes " and \\ and\nnew\r\nlines, \u001b[31mred\u001b[0m, \u2028 and \u0085',
  'snow ☃, 𝒻𝒶𝓃𝒸𝓎 letters, ünïcödé',
]

/** Returns a size from one byte to more than the record limit of 256 KiB. One in five hundred exceeds 128 KiB. */
function sizeOf(random: Random): number {
  const kind = random.next()
  if (kind < 0.5) return random.whole(1, 200)
  if (kind < 0.8) return random.whole(200, 2_000)
  if (kind < 0.96) return random.whole(2_000, 10_000)
  if (kind < 0.995) return random.whole(10_000, 70_000)
  if (kind < 0.998) return random.whole(70_000, 131_072)
  return random.whole(131_073, 400_000)
}

function canaries(): Readonly<Record<string, unknown>> {
  return {
    password: canary,
    card: { type: 'visa', number: canary },
    account: { toJSON: () => ({ id: 1, pin: canary }) },
    request: { headers: { Authorization: `Bearer ${canary}` } },
    deep: [{ er: { pin: new Map([['of', canary]]) } }],
  }
}
