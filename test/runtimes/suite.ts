import { expect } from '@jest/globals'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChildResult } from '../support/processes/child.ts'

/** The number of records that `programs/application.js` logs. */
export const applicationRecords = 2_003

/** The folder of a runtime, with its installed packages and the files of a suite. */
export class Folder {
  readonly path: string
  /** The path of the programs after `pack`. */
  readonly programs: string
  /** A directory outside the repository, where no package can be resolved. */
  readonly outside: string = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-runtime-')))

  /** `of` is the URL of a file in the folder. */
  constructor(of: string) {
    this.path = fileURLToPath(new URL('.', of))
    if (!existsSync(join(this.path, 'node_modules/sluice'))) {
      throw new Error('the suites of runtimes need what is installed for them: npm run runtimes')
    }
    this.programs = join(this.path, 'built')
  }

  /** Copies the programs and the package into the folder, until `unpack` is called. */
  pack(): void {
    this.unpack()
    cpSync(fileURLToPath(new URL('programs', import.meta.url)), this.programs, { recursive: true })
    cpSync(this.ours(''), join(this.programs, 'node_modules/sluice'), { recursive: true })
  }

  unpack(): void {
    rmSync(this.programs, { recursive: true, force: true })
  }

  /** Returns the path of a file of the installed package. */
  ours(path: string): string {
    return join(this.path, 'node_modules/sluice', path)
  }

  /** Returns the path of an installed executable. */
  bin(name: string): string {
    return join(this.path, 'node_modules/.bin', name)
  }

  remove(): void {
    rmSync(this.outside, { recursive: true, force: true })
    this.unpack()
  }
}

/** Checks the output of `programs/application.js`: complete, in order, redacted, and with consistent delivery statistics. */
export function expectApplication({ stdout }: Pick<ChildResult, 'stdout'>): void {
  expect(stdout).not.toContain('canary')
  const lines = parsed(stdout)
  expect(lines).toHaveLength(applicationRecords)
  expect(lines.slice(0, 2_000).map(({ attributes }) => attributes['seq'])).toEqual(
    Array.from({ length: 2_000 }, (_, seq) => seq),
  )
  expect(lines[0]).toMatchObject({
    level: 'info',
    message: 'order 0 placed',
    'otel.scope.name': 'application',
    attributes: { card: { number: '[REDACTED]' }, headers: { authorization: '[REDACTED]' } },
  })
  expect(lines[2_000]).toMatchObject({
    level: 'warn',
    message: 'payment took 1240 ms',
    attributes: { tenant: 'acme', requestId: 'r-17' },
  })
  expect(lines[2_001]).toMatchObject({
    attributes: {
      userToken: '[REDACTED]',
      'exception.type': 'TypeError',
      'exception.message': 'card declined',
      'exception.stacktrace': expect.stringContaining('application'),
    },
  })
  expect(lines[2_002]!.attributes).toEqual({ emitted: 2_002, sum: 2_002 })
}

/** Checks the console output of `programs/core.js`, the records received by `fetch`, and the delivery statistics. */
export function expectCore(printed: readonly string[], arrived: readonly number[], stats: unknown): void {
  expect(printed.join('')).not.toContain('canary')
  expect(printed.map((line) => JSON.parse(line) as Line)).toHaveLength(201)
  expect(JSON.parse(printed[0]!)).toMatchObject({ attributes: { seq: 0, card: { number: '[REDACTED]' } } })
  expect(JSON.parse(printed[200]!)).toMatchObject({ level: 'error', attributes: { 'exception.type': 'TypeError' } })
  expect(arrived.slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, seq) => seq))
  expect(arrived).toHaveLength(201)
  const counted = { accepted: 201, written: 201, queued: 0, unknown: 0, maybeDuplicated: 0 }
  expect(stats).toMatchObject({ ok: true, emitted: 201, dropped: { total: 0 }, exporters: [counted, counted] })
}

export interface Line {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** Parses lines of JSON. */
export function parsed(text: string): Line[] {
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line) as Line)
}

/** Parses the lines of a file. */
export function linesOf(path: string): Line[] {
  return parsed(readFileSync(path, 'utf8'))
}
