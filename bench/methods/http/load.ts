/** The load process: autocannon, which sends the next request of a connection after the last response. */
import type { EventEmitter } from 'node:events'
import { importRival } from '../../subjects/rival.ts'
import type { Job } from '../method.ts'
import { httpOf } from './http-of.ts'
import type { LoadResult, LoadCommand } from './protocol.ts'
import { serviceOf } from './services.ts'

// Declared here, because it is installed for the benchmark only, and types are checked without it.
type Autocannon = (options: object) => EventEmitter & PromiseLike<Result>
interface Result {
  readonly errors: number
  readonly timeouts: number
  readonly mismatches: number
  readonly non2xx: number
}

const job = JSON.parse(process.argv[2]!) as Job
const { connections, service } = httpOf(job)
const { requests, answer } = serviceOf(service)
const { default: autocannon } = await importRival<{ default: Autocannon }>('autocannon')

process.on('message', (command: LoadCommand) => void load(command).then((loaded) => process.send!(loaded)))
process.on('disconnect', () => process.exit())

/**
 * Keeps this process from sleeping. Otherwise each response of the server wakes a sleeping processor, which costs CPU time of the
 * server (under a hypervisor 1.5 to 2.7 µs per response) that it would not need with a network in between.
 *
 * @returns a function that ends it
 */
function stayAwake(): () => void {
  let turn = setImmediate(again)
  function again(): void {
    turn = setImmediate(again)
  }
  return () => clearImmediate(turn)
}

async function load(command: LoadCommand): Promise<LoadResult> {
  const { port, seconds, requests: amount, verify } = command
  const sleep = stayAwake()
  const running = autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    requests,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    // The interval at which it checks the remaining time, in ms.
    sampleInt: 50,
    // Comparing each response takes time in which the server would wait.
    ...(verify && { verifyBody: (body: string) => body === answer }),
  })
  const millis: number[] = []
  let first = 0
  let last = 0
  running.on('response', (_client: object, _status: number, _bytes: number, took: number) => {
    last = performance.now()
    if (millis.length === 0) first = last
    millis.push(took)
  })
  const result = await running
  sleep()
  const sorted = Float64Array.from(millis).toSorted()
  return {
    answered: millis.length,
    seconds: (last - first) / 1_000,
    latency50: percentile(sorted, 0.5) * 1_000,
    latency99: percentile(sorted, 0.99) * 1_000,
    problems: problemsOf(result),
  }
}

const percentile = (sorted: Float64Array, share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? NaN

function problemsOf({ errors, timeouts, mismatches, non2xx }: Result): string[] {
  const counts = { errors, timeouts, 'wrong responses': mismatches, 'responses without success': non2xx }
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
}
