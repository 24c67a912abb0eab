import { expect } from '@jest/globals'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ended } from '../support/processes/child.ts'

/** How many records `programs/application.js` logs. */
export const applicationRecords = 2_003

/** A folder of a runtime: what is installed there, and what a suite makes there. */
export class Folder {
  readonly path: string
  /** Where the programs are, while they are needed. */
  readonly programs: string
  /** Outside of the repository, where no package is found. */
  readonly outside: string = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-runtime-')))

  /** `of`: a URL of a file in it. */
  constructor(of: string) {
    this.path = fileURLToPath(new URL('.', of))
    if (!existsSync(join(this.path, 'node_modules/sluice'))) {
      throw new Error('the suites of runtimes need what is installed for them: npm run runtimes')
    }
    this.programs = join(this.path, 'built')
  }

  /** Puts the programs into the folder, with the package beside them, until `unpack` is called. */
  pack(): void {
    this.unpack()
    cpSync(fileURLToPath(new URL('programs', import.meta.url)), this.programs, { recursive: true })
    cpSync(this.ours(''), join(this.programs, 'node_modules/sluice'), { recursive: true })
  }

  unpack(): void {
    rmSync(this.programs, { recursive: true, force: true })
  }

  /** A file of this package as it is installed. */
  ours(path: string): string {
    return join(this.path, 'node_modules/sluice', path)
  }

  /** A program of a package that is installed. */
  bin(name: string): string {
    return join(this.path, 'node_modules/.bin', name)
  }

  remove(): void {
    rmSync(this.outside, { recursive: true, force: true })
    this.unpack()
  }
}

/** What `programs/application.js` wrote: all of it, in order, redacted, and with a ledger that closes. */
export function expectApplication({ stdout }: Pick<Ended, 'stdout'>): void {
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

/** What `programs/core.js` said to the console, what arrived by `fetch`, and its ledger. */
export function expectCore(said: readonly string[], arrived: readonly number[], ledger: unknown): void {
  expect(said.join('')).not.toContain('canary')
  expect(said.map((line) => JSON.parse(line) as Line)).toHaveLength(201)
  expect(JSON.parse(said[0]!)).toMatchObject({ attributes: { seq: 0, card: { number: '[REDACTED]' } } })
  expect(JSON.parse(said[200]!)).toMatchObject({ level: 'error', attributes: { 'exception.type': 'TypeError' } })
  expect(arrived.slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, seq) => seq))
  expect(arrived).toHaveLength(201)
  const counted = { accepted: 201, written: 201, queued: 0, unknown: 0, maybeDuplicated: 0 }
  expect(ledger).toMatchObject({ ok: true, emitted: 201, dropped: { total: 0 }, exporters: [counted, counted] })
}

export interface Line {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** Lines of JSON. */
export function parsed(text: string): Line[] {
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line) as Line)
}

/** The lines of a file. */
export function linesOf(path: string): Line[] {
  return parsed(readFileSync(path, 'utf8'))
}
