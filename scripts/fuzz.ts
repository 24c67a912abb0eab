// npm run fuzz -- [--minutes N] [--seed S] [--target NAME]: checks random inputs for the given time, and saves failing inputs in
// test/security/corpus, where the tests check them from then on. The seed is printed and repeats the same inputs. The work is done in a
// thread, so that an input that causes an endless loop is also detected.
import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { asJson, fromJson, save } from '../test/security/fuzz/corpus.ts'
import { run, type Failure } from '../test/security/fuzz/run.ts'
import { targetOf, targets } from '../test/security/fuzz/targets.ts'

interface Work {
  readonly target: string
  readonly seed: number
  readonly millis: number
  /** The current input as JSON: its length, then its text. */
  readonly input: SharedArrayBuffer
}

/** The time that one input may exceed its turn, in ms. */
const patience = 60_000
const mostBytes = 4 * 1024 * 1024

if (isMainThread) await main()
else await work(workerData as Work)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      target: { type: 'string' },
    },
  })
  const minutes = Number(values.minutes)
  const first = Number(values.seed)
  if (!(minutes > 0) || !Number.isInteger(first)) {
    console.error('usage: npm run fuzz -- [--minutes N] [--seed S] [--target NAME]')
    process.exit(2)
  }
  const chosen = values.target === undefined ? targets : [targetOf(values.target)]
  const end = performance.now() + minutes * 60_000
  /** The duration of the turn of each target. */
  const slice = Math.min(10_000, (minutes * 60_000) / chosen.length)
  const found = new Set<string>()
  console.log(`seed ${first}, ${minutes} minutes`)
  for (let seed = first; performance.now() < end; seed++) {
    for (const target of chosen) {
      const left = end - performance.now()
      if (left <= 0) break
      const failure = await turn(target.name, seed, Math.min(slice, left))
      // Many inputs find the same defect.
      const what = `${target.name} ${failure?.why.split('\n', 1)[0]}`
      if (failure === undefined || found.has(what)) continue
      found.add(what)
      const path = save({ target: target.name, found: failure.why.slice(0, 600), input: failure.input })
      console.log(`${target.name}, seed ${seed}: ${failure.why}\nsaved as ${relative(process.cwd(), path)}`)
    }
  }
  console.log(found.size === 0 ? 'nothing was found' : `${found.size} found`)
  process.exit(found.size === 0 ? 0 : 1)
}

/** Runs the turn of a target in a thread. */
function turn(target: string, seed: number, millis: number): Promise<Failure | undefined> {
  const input = new SharedArrayBuffer(4 + mostBytes)
  const worker = new Worker(new URL(import.meta.url), { workerData: { target, seed, millis, input } satisfies Work })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      void worker.terminate()
      const length = new Int32Array(input, 0, 1)[0]!
      const text = Buffer.from(input, 4, length).toString()
      resolve({ target, seed, input: fromJson(text), why: `Error: it did not come to an end within ${patience} ms` })
    }, millis + patience)
    worker.once('message', (failure: Failure | undefined) => {
      clearTimeout(timer)
      void worker.terminate().then(() => resolve(failure))
    })
    worker.once('error', reject)
  })
}

async function work({ target, seed, millis, input }: Work): Promise<void> {
  const { parentPort } = await import('node:worker_threads')
  const length = new Int32Array(input, 0, 1)
  const bytes = new Uint8Array(input, 4)
  const failure = await run(targetOf(target), {
    seed,
    millis,
    begin(value) {
      length[0] = new TextEncoder().encodeInto(asJson(value), bytes).written
    },
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort!.postMessage(failure)
}
