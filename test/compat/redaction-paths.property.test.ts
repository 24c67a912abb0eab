import { afterEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import bole from '../../src/entries/bole.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { createLogger as winston, format, sluiceTransport } from '../../src/entries/winston.ts'
import {
  canaries,
  canariesAt,
  leavesOf,
  pathsThroughPairs,
  questionAbout,
  spelled,
  values,
  type Leaf,
  type Step,
} from '../support/values/line-paths.ts'
import { lineKeeper } from '../support/files/line-keeper.ts'
import { output } from './bole/support.ts'
import { logged as bunyan } from './bunyan/support.ts'
import { logged as pino } from './pino/support.ts'
import { infoKeeper } from './winston/info-keeper.ts'

afterEach(() => void bole.reset())

/** The lines that a front writes. */
type Front = (value: object, redact?: RedactOptions) => string

const quiet = { onDiagnostic: () => {} }
const rules = (redact?: RedactOptions) => (redact === undefined ? {} : { redact })
const own = (value: object): Record<string, unknown> => ({ ...(value as Record<string, unknown>), plain: value })
const failed = (value: object): Error => Object.assign(new Error('public'), { value })

const fronts: Readonly<Record<string, Front>> = {
  'sluice/pino, members of a call': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact) })
    log.info(own(value), '%j', value)
    return kept.lines.join('')
  },
  'sluice/pino, what is bound and mixed in': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact), base: { based: value }, mixin: () => ({ mixed: value }) })
    log.child({ bound: [value] }).info('m')
    return kept.lines.join('')
  },
  'sluice/pino, a message that is no text': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact) })
    log.info({}, [value, [value]] as never)
    log.info({ msg: [value] })
    return kept.lines.join('')
  },
  'sluice/pino, an Error': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact) })
    log.error(failed(value))
    log.error({ err: failed(value), other: failed(value) }, 'm')
    return kept.lines.join('')
  },
  'sluice/pino with nestedKey': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact), nestedKey: 'payload' })
    log.info(own(value), 'm')
    return kept.lines.join('')
  },
  'sluice/pino, members with names of the line': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact) })
    log.child({ level: value }).info({ level: value }, 'm')
    return kept.lines.join('')
  },
  'sluice/bunyan': (value, redact) => {
    const { log, kept } = bunyan({ ...quiet, ...rules(redact), serializers: { user: (user) => ({ user }) } })
    log.info(own(value), '%j', value)
    log.child({ bound: [value] }).info('m')
    log.info({ level: value }, 'm')
    return kept.lines.join('')
  },
  'sluice/bole': (value, redact) => {
    const kept = output({ ...quiet, ...rules(redact) })
    const log = bole('test')
    log.info(own(value), '%j', value)
    log.error(new Error('x'), { deep: [value] }, 'm')
    log.info({ level: value, name: [value] }, 'm')
    log.info({}, [value] as never)
    return kept.text
  },
  'sluice/winston': (value, redact) => {
    const keeper = infoKeeper()
    const log = winston({ format: format.json(), transports: keeper.transport, ...rules(redact) })
    log.info('m', own(value))
    log.child({ bound: [value] }).info('m')
    log.info([value, [value]] as never)
    log.info({ message: value } as never)
    return keeper
      .lines()
      .map((line) => `${line}\n`)
      .join('')
  },
  'sluiceTransport behind winston': (value, redact) => {
    const exporter = lineKeeper()
    const transport = sluiceTransport({ exporter, handleExit: false, ...rules(redact) })
    const log = winston({ transports: [transport] })
    log.info('m', own(value))
    log.info('m %s', 'x', { first: 1 }, value, [value])
    log.child({ bound: [value] }).info('m')
    return exporter.text()
  },
}

/** Fields of the lines that are those of the record, and no members that anybody logged. */
const fields = ['level', 'time', 'pid', 'hostname', 'name', 'v', 'timestamp', 'stack']

function shown(lines: string): Leaf[] {
  return lines
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const { attributes, ...members } = JSON.parse(line) as Record<string, unknown>
      const isRecord = Object.hasOwn(members, 'timestamp') && Object.hasOwn(members, 'level')
      const all = isRecord && typeof attributes === 'object' ? (attributes as object) : { ...members, attributes }
      return leavesOf(all).filter(({ steps }) => !isText(steps) && !fields.includes(steps.at(-1)!.key))
    })
}

/** A message, or what is copied into one, has no path below it. */
function isText(steps: readonly Step[]): boolean {
  return steps.length === 1 && /^(?:msg|message)$/.test(steps[0]!.key)
}

/** Paths by which rules may name a value besides the one at which a line shows it. */
function aliases(steps: readonly Step[]): (readonly Step[])[] {
  const all: (readonly Step[])[] = [steps]
  const [first, second] = steps
  // A message's members are redacted as those of the record are, and so are those of a list's items.
  if (/^(?:msg|message)$/.test(first!.key)) {
    all.push(steps.slice(1))
    if (second?.isIndex) all.push(steps.slice(2))
  }
  if (/^_*(?:attributes|payload)$/.test(first!.key)) all.push(steps.slice(1))
  if (/^_?args$/.test(first!.key) && second?.isIndex) all.push(steps.slice(2))
  return all.flatMap(pathsThroughPairs).filter((path) => path.length > 0)
}

describe('a path redacts the value that a line shows at that path, and no other', () => {
  test.each(Object.entries(fronts))('%s', (_, write) => {
    const next = canaries()
    let asked = 0
    fc.assert(
      fc.property(values(next), fc.nat(), spelled, (value, which, way) => {
        const before = shown(write(value))
        const question = questionAbout(before, which, way, aliases)
        fc.pre(question !== undefined)
        asked++
        const { redact, going, staying, isAmong } = question
        const after = shown(write(value, redact))
        expect(isAmong(after)).toBe(false)
        const left = canariesAt(after)
        expect(going.filter((canary) => left.has(canary))).toEqual([])
        expect(staying.filter((canary) => !left.has(canary))).toEqual([])
      }),
      { numRuns: 250 },
    )
    expect(asked).toBeGreaterThan(100)
  })
})
