import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { needs } from '../../support/needs.ts'
import { runProgram } from '../support/command.ts'
import { plantedLog } from '../support/planted-log.ts'

const records = 300_000
const withJq = needs('jq', spawnSync('jq', ['--version']).status === 0)
let folder: string
let counts: ReadonlyMap<string, number>

interface Counts {
  readonly count: number
  readonly percentiles: { readonly duration: Record<string, number> }
}
interface Summary {
  readonly records: number
  readonly total: Counts & { readonly first: string; readonly last: string; readonly timeline: number[] }
  readonly levels: { readonly level: string; readonly count: number; readonly first: string; readonly last: string }[]
  readonly groups: (Counts & { readonly values: Record<string, string> })[]
  readonly otherCount: number
  readonly losses: Record<string, number>
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-stats-'))
  const log = plantedLog(records)
  counts = log.counts
  writeFileSync(join(folder, 'app.log'), log.bytes)
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true }))

function stats(...args: readonly string[]): Summary {
  const { status, stdout, stderr } = runProgram(['stats', '-o', 'json', ...args, 'app.log'], { cwd: folder })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return JSON.parse(stdout) as Summary
}

function jq(program: string): unknown {
  return JSON.parse(execFileSync('jq', ['-s', '-c', program, 'app.log'], { cwd: folder, maxBuffer: 1e9 }).toString())
}

describe('sluice stats, on 300,000 lines', () => {
  test('counts the records of each planted template exactly', () => {
    const { groups, otherCount } = stats('--by', 'template')
    expect(Object.fromEntries(groups.map(({ values, count }) => [values['template'], count]))).toEqual(
      Object.fromEntries(counts),
    )
    expect(otherCount).toBe(0)
  })

  withJq('counts records, levels, services, times and losses as jq does', () => {
    const expected = jq(`{
      records: length,
      first: (map(.timestamp) | min),
      last: (map(.timestamp) | max),
      levels: (group_by(.level) | map({ level: .[0].level, count: length, first: (map(.timestamp) | min), last: (map(.timestamp) | max) })),
      services: (group_by([.level, ."service.name"]) | map({ key: "\\(.[0].level) \\(.[0]."service.name")", value: length }) | from_entries),
      droppedAttributes: (map(."otel.dropped_attributes_count" // 0) | add)
    }`)
    const summary = stats('--by', 'level,service')
    expect(summary.total.timeline.reduce((sum, count) => sum + count)).toBe(records)
    expect({
      records: summary.records,
      first: summary.total.first,
      last: summary.total.last,
      levels: summary.levels
        .map(({ level, count, first, last }) => ({ level, count, first, last }))
        .toSorted((one, other) => (one.level < other.level ? -1 : 1)),
      services: Object.fromEntries(
        summary.groups.map(({ values, count }) => [`${values['level']} ${values['service']}`, count]),
      ),
      droppedAttributes: summary.losses['droppedAttributes'],
    }).toEqual(expected)
  })

  withJq('computes percentiles within 1 % of those of jq, for all records and for each level', () => {
    const program = `
      def percentiles: map(.attributes.duration) | sort | length as $n
        | { count: $n, min: .[0], max: .[-1], mean: (add / $n) }
        + ([50, 90, 95, 99] as $parts | . as $sorted | reduce $parts[] as $part ({}; . + { "p\\($part)": $sorted[([$part * $n / 100 | ceil, 1] | max) - 1] }));
      { total: percentiles, levels: (group_by(.level) | map({ key: .[0].level, value: percentiles }) | from_entries) }`
    const { total, groups } = stats('--by', 'level', '--percentiles', 'duration')
    const expected = jq(program) as { total: Record<string, number>; levels: Record<string, Record<string, number>> }
    const actual = [
      [expected.total, total.percentiles.duration] as const,
      ...groups.map(({ values, percentiles }) => [expected.levels[values['level']!]!, percentiles.duration] as const),
    ]
    expect(actual).toHaveLength(5)
    for (const [exact, found] of actual) {
      expect(Object.keys(found)).toEqual(Object.keys(exact))
      for (const [name, value] of Object.entries(found)) {
        expect(Math.abs(value / exact[name]! - 1)).toBeLessThanOrEqual(name.startsWith('p') ? 0.01 : 1e-9)
      }
    }
  })

  withJq('counts records of a query and a level as jq does', () => {
    const expected = jq(`map(select((.level == "warn" or .level == "error") and .attributes.seq < 1000)) | length`)
    expect(stats('-l', 'warn', '-q', 'seq < 1000').records).toBe(expected)
  })
})

describe('the program sluice stats', () => {
  test('reads standard input and compressed files, and reports which file cannot be read', () => {
    const line = '{"timestamp":"2026-11-21T09:56:03.123Z","level":"info","message":"order 1 placed"}\n'
    writeFileSync(join(folder, 'app.log.gz'), gzipSync(line.repeat(3)))
    const { status, stdout, stderr } = runProgram(['stats', 'app.log.gz', 'missing.log', '-'], {
      cwd: folder,
      input: line,
    })
    expect(status).toBe(2)
    expect(stderr).toContain('missing.log')
    expect(stdout).toContain('4 records (sluice)')
    expect(stdout).toContain('order <num> placed')
  })

  test('reports wrong options', () => {
    for (const args of [
      ['--interval', 'soon'],
      ['--interval', '0s'],
      ['--interval', '0.5ms'],
      ['--top', '-1'],
      ['-o', 'csv'],
      ['-q', 'level >'],
    ]) {
      expect(runProgram(['stats', ...args, 'app.log'], { cwd: folder })).toMatchObject({ status: 2, stdout: '' })
    }
  })
})
