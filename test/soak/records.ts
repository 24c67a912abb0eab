import { faultRecord, type FaultRecord } from '../faults/harness/records.ts'
import type { Random } from './random.ts'

/** Levels that records have, but for `fatal`. */
export type SoakLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** What a record of a soak carries beside what every record of a run carries. */
export interface SoakAttributes extends FaultRecord {
  /** The level that it was logged with. */
  readonly said: SoakLevel
  /** Only y, so many of them: what is cut where the record is longer than records may be. */
  readonly bulk?: string
  readonly bulkLength?: number
}

/** A record before it is logged. */
export interface SoakRecord {
  readonly level: SoakLevel
  readonly message: string
  readonly attributes: SoakAttributes & Readonly<Record<string, unknown>>
  readonly error: Error | undefined
  /** A child logger logs it. */
  readonly byChild: boolean
}

/** What must never be seen: it stands in every place that redaction covers. */
export const canary = 'c4n4ry-of-the-soak'
/** Where it stands; see `canaries`. */
export const redact: { readonly paths: readonly string[]; readonly keys: readonly string[] } = {
  paths: ['card.number', 'account.pin', '**.pin', 'err.message'],
  keys: ['password', 'sessionToken'],
}
/** What children say with each record. */
export const childAttributes: object = { requestId: 'r-1', session_token: canary }

/** The next record. `fatal`: of the highest level, else of any below. */
export function soakRecord(random: Random, run: string, pid: number, seq: number, fatal = false): SoakRecord {
  const level = fatal ? 'fatal' : levels[random.whole(0, levels.length - 1)]!
  const size = sizeOf(random)
  // What is longer than a record may be is no part of what is hashed.
  const isBulk = size > 131_072
  const record = faultRecord(run, pid, seq, isBulk ? 10 : size)
  const bulk = isBulk ? { bulk: 'y'.repeat(size), bulkLength: size } : {}
  const hasCanary = random.chance(0.1)
  return {
    level,
    message: messageOf(seq),
    attributes: { ...record, said: level, ...bulk, ...(hasCanary ? canaries() : {}) },
    error: level === 'error' || level === 'fatal' ? new TypeError(`of ${canary}`) : undefined,
    byChild: random.chance(0.2),
  }
}

/** The message of a process's so-manieth record, as it is logged. */
export function messageOf(seq: number): string {
  return messages[seq % messages.length]!
}

/** The same as it arrives. */
export function arrivedMessage(seq: number): string {
  return messageOf(seq).replace('{seq}', String(seq))
}

const levels: readonly SoakLevel[] = ['debug', 'info', 'info', 'info', 'info', 'info', 'warn', 'error']
const messages = [
  'as plain as can be',
  'record {seq} is told',
  'quotes " and \\ and\nnew\r\nlines, \u001b[31mred\u001b[0m, \u2028 and \u0085',
  'snow ☃, 𝒻𝒶𝓃𝒸𝓎 letters, ünïcödé',
]

/** From one byte to more than the 256 KiB that a record may have; one in five hundred is longer than 128 KiB. */
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
