import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Log } from '../subjects/subject.ts'
import { callSites } from './call-sites.ts'
import type { Expected } from './lines.ts'
import type { Scenario } from './scenario.ts'

const liveChildren = 12

/** The attributes of one of the children: each is the logger of a component. */
const boundOf = (child: number) => ({ component: `component-${child}`, instance: child })

// An order that repeats only after all combinations, so that no record looks like the one before it.
const childAt = (i: number): number => (i * 5) % liveChildren
const siteAt = (i: number): number => (i * 37 + (i >> 6)) % callSites.length

function mix(): Payload {
  // One process has one log: its children are created in the first lap.
  let children: readonly Pick<Log, 'attributes'>[] | undefined
  return {
    setup: {},
    run(log, from, to) {
      children ??= Array.from({ length: liveChildren }, (_, child) => log.child!(boundOf(child)))
      for (let i = from; i < to; i++) callSites[siteAt(i)]!(children[childAt(i)]!, i)
    },
    expected(i) {
      let said: Expected | undefined
      callSites[siteAt(i)]!(
        {
          attributes: (message, attributes) =>
            (said = { message, attributes: { ...boundOf(childAt(i)), ...attributes } }),
        },
        i,
      )
      return said!
    },
  }
}

function turnsOf(perTurn: number, records: number, more: readonly SubjectName[] = []): BurstVariant {
  return { ...mix(), to: 'file', subjects, more, records, warmUp: 2 * records, perTurn }
}

const subjects = ['sluice', 'pino-sync', 'pino-buffered'] as const

/** Records 64 call sites of different shapes log in turn by 12 children. */
export const serviceMix: Scenario = {
  question: 'A service: 64 call sites of different shapes and 12 live child loggers, in turns of 1, 10 and 50 records',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'drain', 'cpu', 'bytes', 'writes', 'memory'],
  compared: ['loop', 'cpu'],
  targets: [
    { variants: ['turns-1', 'turns-10', 'turns-50'], figures: ['loop'], rival: 'pino-sync', limit: 0.28 },
    { variants: ['turns-1', 'turns-10', 'turns-50'], figures: ['cpu'], rival: 'pino-sync', limit: 0.4 },
  ],
  variants: {
    'turns-1': turnsOf(1, 20_000),
    'turns-10': turnsOf(10, 50_000, ['winston']),
    'turns-50': turnsOf(50, 100_000),
  },
}

/** The same without a warm-up: most of the code is not compiled yet. */
export const firstRecords: Scenario = {
  question: 'The first 5,000 records of a process with the same call sites and children, 10 records a turn',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'drain', 'cpu'],
  compared: ['loop', 'cpu'],
  targets: [{ variants: ['file'], figures: ['cpu'], rival: 'pino-sync', limit: 0.6 }],
  variants: { file: { ...mix(), to: 'file', subjects, records: 5_000, warmUp: 0, perTurn: 10 } },
}
