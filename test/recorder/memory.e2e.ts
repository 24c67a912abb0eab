import { expect, test } from '@jest/globals'
import { importOf, runChild } from '../support/processes/child.ts'

const mebibyte = 1024 * 1024
const maxTotalBytes = 16 * mebibyte

interface Memory {
  readonly grown: number
  readonly recorded: number
  readonly expired: number
  readonly afterExpiry: number
}

/** Logs one debug record for each of 1,000,000 keys, and measures the memory that is held. */
const program = (message: string) => `
${importOf('{ composeLogger }', 'src/create/compose-logger.ts')}
${importOf('{ nodeRuntime }', 'src/create/create-logger.ts')}
const exporter = (await import(${JSON.stringify(new URL('../../src/entries/exporters.ts', import.meta.url).href)})).memoryExporter()
let now = 0
let expire
const log = composeLogger({
  options: { exporter, recorder: { by: 'tenant', maxTotalBytes: ${maxTotalBytes} } },
  runtime: { ...nodeRuntime, platform: { ...nodeRuntime.platform, monotonic: () => now, delay: (_, callback) => ((expire = callback), { cancel() {} }) } },
})
const used = () => {
  gc(); gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
const logKeys = (from, to) => {
  for (let i = from; i < to; i++) log.child({ tenant: 'tenant-' + i }).debug(${message}, { i })
}
// Compiled functions and caches are no held records.
logKeys(0, 1_000)
const before = used()
logKeys(1_000, 1_000_000)
const grown = used() - before
const { recorded, expired } = log.stats().exporters[0]
now += 30_000
expire()
console.log(JSON.stringify({ grown, recorded, expired, afterExpiry: used() - before }))
`

// In a process of its own, because the heap of a test process contains much else.
test.each([
  ['short ASCII text', `'request served'`],
  ['long ASCII text', `'request served '.repeat(40)`],
  ['text with characters of three bytes', `'要求を処理しました'`],
  ['text of many small parts', `Array.from({ length: 40 }, (_, n) => n).join()`],
])('1,000,000 keys with %s use at most maxTotalBytes and 5 MB', async (_, message) => {
  const { stdout, stderr } = await runChild({
    args: ['--expose-gc', '--input-type=module', '--eval', program(message)],
    timeoutMillis: 120_000,
  })
  expect(stderr).toBe('')
  const { grown, recorded, expired, afterExpiry } = JSON.parse(stdout) as Memory
  expect(recorded + expired).toBe(1_000_000)
  // The limit is used, and not only kept.
  expect(recorded).toBeGreaterThan(5_000)
  expect(grown).toBeLessThan(maxTotalBytes + 5_000_000)
  expect(afterExpiry).toBeLessThan(5_000_000)
})
