// The worker thread that sends OTLP requests while the main thread is blocked: see exit-sender.ts.
import * as http from 'node:http'
import * as https from 'node:https'
import { workerData } from 'node:worker_threads'
import type { ExitWorkerData, MessageFromWorker, MessageToWorker } from './exit-sender.ts'
import { post, type Exchange } from './http.ts'
import type { AgentOptions } from './proxy.ts'
import { hasOwn, withoutPrototype } from '../../options/own-members.ts'

const { port, resultCount, proxyEnv } = workerData as ExitWorkerData
const agentOptions = withoutPrototype<AgentOptions>({ keepAlive: true, proxyEnv })
const plainAgent = new http.Agent(agentOptions)
const secureAgent = new https.Agent(agentOptions)
const exchanges = new Map<number, Exchange>()

port.on('message', (message: MessageToWorker) => {
  const { id } = message
  if (hasOwn(message, 'cancelReason')) {
    exchanges.get(id)?.cancel(message.cancelReason)
    return
  }
  const request = message.post
  const timeoutMillis = message.endsAt === undefined ? 0 : millisUntil(message.endsAt)
  const exchange = post({ ...request, timeoutMillis }, request.url.startsWith('https:') ? secureAgent : plainAgent)
  exchanges.set(id, exchange)
  void sendResult(id, exchange)
})

async function sendResult(id: number, exchange: Exchange): Promise<void> {
  const result = await exchange.result
  exchanges.delete(id)
  port.postMessage({ id, result } satisfies MessageFromWorker)
  // Post first, because the thread that is notified must find the message.
  Atomics.add(resultCount, 0, 1)
  Atomics.notify(resultCount, 0)
}

/**
 * Returns the time that remains in ms, at least 1, because 0 would mean no limit.
 *
 * @param endsAt - In ns of `process.hrtime`.
 */
function millisUntil(endsAt: bigint): number {
  return Math.max(1, Number(endsAt - process.hrtime.bigint()) / 1e6)
}
