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
  redactionCase,
  ruleVariants,
  values,
  type Leaf,
  type Step,
} from '../support/values/line-paths.ts'
import { capturingExporter } from '../support/files/test-logger.ts'
import { output } from './bole/support.ts'
import { logged as bunyan } from './bunyan/support.ts'
import { logged as pino } from './pino/support.ts'
import { infoKeeper } from './winston/info-keeper.ts'

afterEach(() => void bole.reset())

/** Logs a value with an API and returns the lines that it writes. */
type WriteLines = (value: object, redact?: RedactOptions) => string

const quiet = { onDiagnostic: () => {} }
const rules = (redact?: RedactOptions) => (redact === undefined ? {} : { redact })
const own = (value: object): Record<string, unknown> => ({ ...(value as Record<string, unknown>), plain: value })
const failed = (value: object): Error => Object.assign(new Error('public'), { value })

const apis: Readonly<Record<string, WriteLines>> = {
  'members of a call of sluice/pino': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact) })
    log.info(own(value), '%j', value)
    return kept.lines.join('')
  },
  'bindings and mixins of sluice/pino': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact), base: { based: value }, mixin: () => ({ mixed: value }) })
    log.child({ bound: [value] }).info('m')
    return kept.lines.join('')
  },
  'a message of sluice/pino that is not a string': (value, redact) => {
    const { log, kept } = pino({ ...quiet, ...rules(redact) })
    log.info({}, [value, [value]] as never)
    log.info({ msg: [value] })
    return kept.lines.join('')
  },
  'an Error logged with sluice/pino': (value, redact) => {
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
  'members with reserved keys in sluice/pino': (value, redact) => {
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
    const exporter = capturingExporter()
    const transport = sluiceTransport({ exporter, handleExit: false, ...rules(redact) })
    const log = winston({ transports: [transport] })
    log.info('m', own(value))
    log.info('m %s', 'x', { first: 1 }, value, [value])
    log.child({ bound: [value] }).info('m')
    return exporter.text()
  },
}

/** Fields that the logger sets itself. */
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

/** A message has no path below it, nor does a value that is copied into one. */
function isText(steps: readonly Step[]): boolean {
  return steps.length === 1 && /^(?:msg|message)$/.test(steps[0]!.key)
}

/** Returns all paths by which a rule may match a value, including the path at which the line contains it. */
function aliases(steps: readonly Step[]): (readonly Step[])[] {
  const all: (readonly Step[])[] = [steps]
  const [first, second] = steps
  // Members of a message, or of the items of a message that is a list, are redacted like those of the record.
  if (/^(?:msg|message)$/.test(first!.key)) {
    all.push(steps.slice(1))
    if (second?.isIndex) all.push(steps.slice(2))
  }
  if (/^_*(?:attributes|payload)$/.test(first!.key)) all.push(steps.slice(1))
  if (/^_?args$/.test(first!.key) && second?.isIndex) all.push(steps.slice(2))
  return all.flatMap(pathsThroughPairs).filter((path) => path.length > 0)
}

describe('redaction by paths in compatible APIs', () => {
  test.each(Object.entries(apis))('a path redacts only the value at that path of the line: %s', (_, write) => {
    const next = canaries()
    let checked = 0
    fc.assert(
      fc.property(values(next), fc.nat(), ruleVariants, (value, which, variant) => {
        const before = shown(write(value))
        const redaction = redactionCase(before, which, variant, aliases)
        fc.pre(redaction !== undefined)
        checked++
        const { redact, redacted, unredacted, isAmong } = redaction
        const after = shown(write(value, redact))
        expect(isAmong(after)).toBe(false)
        const left = canariesAt(after)
        expect(redacted.filter((canary) => left.has(canary))).toEqual([])
        expect(unredacted.filter((canary) => !left.has(canary))).toEqual([])
      }),
      { numRuns: 100 },
    )
    expect(checked).toBeGreaterThan(40)
  })
})
