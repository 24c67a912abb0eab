import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Log } from '../subjects/subject.ts'
import { callSites } from './call-sites.ts'
import type { Expected } from './lines.ts'
import type { Scenario } from './scenario.ts'

const liveChildren = 12

/** Returns the attributes of a child, which is the logger of a component. */
const boundOf = (child: number) => ({ component: `component-${child}`, instance: child })

// An order that repeats only after all combinations, so that no record has the shape of the previous one.
const childAt = (i: number): number => (i * 5) % liveChildren
const siteAt = (i: number): number => (i * 37 + (i >> 6)) % callSites.length

function mix(): Payload {
  // Each process has one log, whose children are created in the first lap.
  let children: readonly Pick<Log, 'attributes'>[] | undefined
  return {
    setup: {},
    run(log, from, to) {
      children ??= Array.from({ length: liveChildren }, (_, child) => log.child!(boundOf(child)))
      for (let i = from; i < to; i++) callSites[siteAt(i)]!(children[childAt(i)]!, i)
    },
    expected(i) {
      let line: Expected | undefined
      callSites[siteAt(i)]!(
        {
          attributes: (message, attributes) =>
            (line = { message, attributes: { ...boundOf(childAt(i)), ...attributes } }),
        },
        i,
      )
      return line!
    },
  }
}

function turnsOf(perTurn: number, records: number, more: readonly SubjectName[] = []): BurstVariant {
  return { ...mix(), to: 'file', subjects, more, records, warmUp: 2 * records, perTurn }
}

const subjects = ['sluice', 'pino-sync', 'pino-buffered'] as const

/** Records of 64 call sites of different shapes, logged in turn by 12 children. */
export const serviceMix: Scenario = {
  description:
    'A service with 64 call sites of different shapes and 12 child loggers, with 1, 10 and 50 records per turn',
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

/** The same without a warm-up, so that most code is not optimized yet. */
export const firstRecords: Scenario = {
  description: 'The first 5,000 records of a process with 64 call sites and 12 child loggers, 10 records per turn',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'drain', 'cpu'],
  compared: ['loop', 'cpu'],
  targets: [{ variants: ['file'], figures: ['cpu'], rival: 'pino-sync', limit: 0.6 }],
  variants: { file: { ...mix(), to: 'file', subjects, records: 5_000, warmUp: 0, perTurn: 10 } },
}
