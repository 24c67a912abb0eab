// Logs at a disabled level and prints what the calls allocate, as `DisabledWork`. Argument as JSON: whether the program also logs at an
// enabled level.
import { openSync } from 'node:fs'
import { createLogger } from '../../../src/entries/index.ts'
import { fdExporter } from '../../../src/entries/exporters.ts'
import { allocatedBy } from './heap.ts'

/** The allocated bytes per call, by the kind of call. */
export type DisabledWork = Readonly<Record<DisabledCall, number>>
export type DisabledCall = keyof typeof calls

const perRound = 1_000_000
/** The cheapest round counts, because code is compiled in the first ones. */
const rounds = 3

const log = createLogger({
  level: 'info',
  exporter: fdExporter({ fd: openSync('/dev/null', 'w'), format: 'json' }),
})
const child = log.child({ requestId: 'r-17' })
const { debug } = log
// Created in advance, because only the call is measured.
const attributes = { userId: 7, plan: 'pro' }
const lazy = (): [string, object] => ['signed in', attributes]
let last: object | undefined

const calls = {
  'a message': () => log.debug('signed in'),
  'a message and attributes': () => log.debug('signed in', attributes),
  'attributes and a message': () => log.debug(attributes, 'signed in'),
  'a child logger': () => child.debug('signed in', attributes),
  'a method by itself': () => debug('signed in', attributes),
  'a lazy call': () => log.debug(lazy),
  'an object made for each call, which is kept': () => {
    last = { userId: 7 }
    log.debug('signed in', last)
  },
} as const satisfies Readonly<Record<string, () => void>>

if (JSON.parse(process.argv[2]!) === true) await logEnabled()
const found: Partial<Record<DisabledCall, number>> = {}
for (let round = 0; round < rounds; round++) {
  for (const [name, call] of Object.entries(calls) as [DisabledCall, () => void][]) {
    const bytes = (await allocatedBy(() => repeat(call))) / perRound
    found[name] = Math.min(bytes, found[name] ?? Infinity)
  }
}
console.log(JSON.stringify(found))

async function logEnabled(): Promise<void> {
  for (let i = 0; i < 20_000; i++) {
    log.info('signed in', attributes)
    child.warn('%s signed in', 'Ann', attributes)
  }
  await log.flush()
}

function repeat(call: () => void): void {
  for (let i = 0; i < perRound; i++) call()
}
