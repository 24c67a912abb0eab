import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { runChild, type Ended } from '../support/processes/child.ts'
import { fakeCollector, type FakeCollector } from '../support/otlp/fake-collector.ts'
import { expectApplication, expectCore, Folder, linesOf } from './suite.ts'

/** How a runtime is started. */
export interface Runtime {
  /** A program of `node_modules/.bin`. */
  readonly command: string
  readonly args: readonly string[]
}

/** The suite of a runtime that has processes, as Node has them. `of`: a URL of a file in its folder. */
export function processSuite(of: string, { command, args }: Runtime): void {
  let folder: Folder
  let collector: FakeCollector

  beforeAll(() => {
    folder = new Folder(of)
    folder.pack()
  })
  afterAll(() => folder.remove())
  beforeEach(async () => {
    collector = await fakeCollector()
  })
  afterEach(() => collector.close())

  function run(program: string, ...more: readonly string[]): Promise<Ended> {
    return runChild({ command: folder.bin(command), args: [...args, join(folder.programs, program), ...more] })
  }

  describe('every line is written, in order and redacted, by a process that ends', () => {
    test.each([
      ['end', 0],
      ['exit', 3],
      ['throw', 1],
    ])('by %s', async (end, code) => {
      const ended = await run('application.js', end)
      expect(ended.code).toBe(code)
      expectApplication(ended)
    })
  })

  test('a process and a thread of its own write what they are given', async () => {
    const { stdout, stderr } = await run('parts.js', folder.outside, collector.url)
    expect({ stdout, stderr }).toEqual({ stdout: 'writer true\n', stderr: '' })
    expect(linesOf(join(folder.outside, 'by-process.log'))).toContainEqual(
      expect.objectContaining({ message: 'by a process of its own' }),
    )
    expect(collector.sequence).toEqual(Array.from({ length: 100 }, (_, seq) => seq))
  })

  test('files are written, rotated and compressed', async () => {
    const { stdout } = await run('files.js', folder.outside)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, written: 20_000, archives: 2, seen: 20_000 })
  })

  test('the core logs to the console, and by fetch', async () => {
    const { code, stdout, stderr } = await run('core-in-a-process.js', collector.url)
    expect(code).toBe(0)
    const said = stdout.trimEnd().split('\n')
    const ledger: unknown = JSON.parse(said.pop()!)
    expectCore([...said, ...stderr.trimEnd().split('\n')], collector.sequence, ledger)
  })
}
