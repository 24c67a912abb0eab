import { expect, test } from '@jest/globals'
import { Worker } from 'node:worker_threads'

/** Runs a module in a worker, and returns what it posts. */
function postedBy(source: string): Promise<unknown> {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

test('a worker ends a slow regular expression while the main thread continues', async () => {
  const folder = new URL('../../../src/read/query/', import.meta.url)
  let ticks = 0
  const timer = setInterval(() => ticks++, 10)
  const posted = await postedBy(`
    import { parentPort } from 'node:worker_threads'
    import { compileQuery } from '${folder.href}compile-query.ts'
    import { parseQuery } from '${folder.href}parse-query.ts'
    import { selectRecords } from '${folder.href}select-records.ts'
    const record = (x) => ({ severityNumber: 9, level: 'info', attributes: new Map([['x', x]]), resource: new Map(), origin: {} })
    const predicate = compileQuery(parseQuery("x ~ '^(a+)+$'"), { regexMillis: 300 })
    const errors = []
    for (const test of [() => predicate(record('a'.repeat(60) + '!')), () => selectRecords(predicate, [record('a'.repeat(60) + '!')])]) {
      try { test() } catch (error) { errors.push(error.name + ' ' + error.expression) }
    }
    parentPort.postMessage({ errors, isMatch: predicate(record('aaa')) })
  `)
  clearInterval(timer)
  expect(posted).toEqual({ errors: Array(2).fill('QueryTimeoutError /^(a+)+$/'), isMatch: true })
  expect(ticks).toBeGreaterThan(10)
}, 30_000)
