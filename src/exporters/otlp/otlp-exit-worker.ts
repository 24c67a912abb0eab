// The worker thread that sends OTLP requests while the main thread is blocked: see at-exit.ts.
import * as http from 'node:http'
import * as https from 'node:https'
import { workerData } from 'node:worker_threads'
import type { ExitWorkerData, FromWorker, ToWorker } from './at-exit.ts'
import { post, type Exchange } from './http.ts'
import type { AgentOptions } from './proxy.ts'
import { hasOwn, ownCopy } from '../../options/own-members.ts'

const { port, answers, proxyEnv } = workerData as ExitWorkerData
const options = ownCopy<AgentOptions>({ keepAlive: true, proxyEnv })
const plainAgent = new http.Agent(options)
const secureAgent = new https.Agent(options)
const running = new Map<number, Exchange>()

port.on('message', (message: ToWorker) => {
  const { id } = message
  if (hasOwn(message, 'cancelled')) {
    running.get(id)?.cancel(message.cancelled)
    return
  }
  const request = message.post
  const timeoutMillis = message.endsAt === undefined ? 0 : millisUntil(message.endsAt)
  const exchange = post({ ...request, timeoutMillis }, request.url.startsWith('https:') ? secureAgent : plainAgent)
  running.set(id, exchange)
  void sendAnswer(id, exchange)
})

async function sendAnswer(id: number, exchange: Exchange): Promise<void> {
  const answer = await exchange.answer
  running.delete(id)
  port.postMessage({ id, answer } satisfies FromWorker)
  // Post first: the thread that is woken must find the message.
  Atomics.add(answers, 0, 1)
  Atomics.notify(answers, 0)
}

/** Returns the remaining time in ms, at least 1, because 0 would mean no limit. */
function millisUntil(nanos: bigint): number {
  return Math.max(1, Number(nanos - process.hrtime.bigint()) / 1e6)
}
