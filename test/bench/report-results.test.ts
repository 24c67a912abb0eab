import { describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pageText } from '../../bench/report/page.ts'
import { parseResults, printResults } from '../../bench/report/results.ts'
import { circumstances, fast, groupOf, times } from './report-groups.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('saved benchmark results', () => {
  const groups = [
    fast,
    groupOf('string', 'pipe', { sluice: { figures: times(123.456, NaN, 0.000123456) } }, [10, NaN, 11]),
  ]
  const results = { ...circumstances, planned: 2, groups }

  test('results are saved with four digits and generate the same page each time', async () => {
    const kept = parseResults(printResults(results))
    expect(kept.groups[1]!.results[0]!.runs.map(({ figures }) => figures.loop)).toEqual([123.5, NaN, 0.0001235])
    expect(kept.groups[1]!.results[0]!.runs[1]!.calibration).toBeNaN()
    expect(printResults(kept)).toBe(printResults(results))
    expect(await pageText(kept)).toBe(await pageText(parseResults(printResults(kept))))
  })

  test('results keep each problem with its run', () => {
    const broken = groupOf('string', 'file', { sluice: { figures: times(1, 2, 3), problems: ['cut [off]'] } })
    const [result] = parseResults(printResults({ ...results, groups: [broken] })).groups[0]!.results
    expect(result!.runs.map(({ problems }) => problems)).toEqual([[], [], ['cut [off]']])
  })

  test.each([
    ['"scenario": "string"', '"scenario": "strong"', 'the scenario strong'],
    ['"variant": "file"', '"variant": "moon"', 'the variant of string moon'],
    ['"subject": "pino-sync"', '"subject": "lumber"', 'the subject lumber'],
    ['"loop":', '"loops":', 'the figure loops'],
  ])('results are rejected with a name that the benchmark no longer has: %s as %s', (known, unknown, name) => {
    const text = printResults(results).replace(known, unknown)
    expect(() => parseResults(text)).toThrow(
      `the results contain ${name}, which the benchmark no longer has: measure again`,
    )
  })

  test('docs/benchmarks.md is generated from docs/benchmarks/results.json', async () => {
    const [page, figures] = ['docs/benchmarks.md', 'docs/benchmarks/results.json'].map((path) => {
      const place = `${root}${path}`
      return existsSync(place) ? readFileSync(place, 'utf8') : undefined
    })
    expect(page).toBe(figures === undefined ? undefined : await pageText(parseResults(figures)))
  })
})

test('a resumed run repeats no measurement, and its page names the commits of both sessions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
  try {
    const file = join(folder, 'interrupted.json')
    // These figures are too low to be measured.
    const group = groupOf('string', 'null', { sluice: { figures: times(1, 2, 3) } })
    writeFileSync(file, printResults({ ...circumstances, planned: 2, groups: [group] }))
    const saved = join(folder, 'resumed.json')
    const args = ['--scenario', 'string', '--variant', 'null', '--subject', 'sluice', '--resume', file, '--save', saved]
    const { status, stdout } = spawnSync(process.execPath, ['bench/main.ts', ...args], { cwd: root, encoding: 'utf8' })
    expect(stdout).toContain('2.0 (1.0-3.0) ns')
    expect(status).toBe(0)
    const { command, date, minutes, commit, dirty } = circumstances
    const resumed = parseResults(readFileSync(saved, 'utf8'))
    expect(resumed.earlier).toEqual([{ command, date, minutes, commit, dirty }])
    expect(resumed.command).toMatch(/ --resume … --save …$/)
    const page = await pageText(resumed)
    expect(page).toContain(commit)
    expect(page).toContain('| commit, resumed ')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  [['--report'], 2, '--report: requires --full or --from <file>'],
  [['--from', 'results.json'], 2, '--from: requires --report'],
  [['--from', 'a.json', '--report', '--save', 'b.json'], 2, '--save: cannot be combined with --from'],
  [['--profile', '--save', 'b.json'], 2, '--profile: cannot be combined with --report or --save'],
  [['--resume', 'a.json', '--profile'], 2, '--resume: cannot be combined with --from or --profile'],
  [['--report', '--from', 'no-such.json'], 1, 'could not write the report: ENOENT'],
])('the benchmark rejects the arguments %j', (args, code, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['bench/main.ts', ...args], { cwd: root, encoding: 'utf8' })
  expect(stderr).toContain(message)
  expect(status).toBe(code)
})
