import { MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads'
import { findBundledProgram } from '../../exporters/bundled-program.ts'
import type { TransportTargets, ThreadData } from './transport-messages.ts'
import { ownCopy } from '../../options/own-members.ts'

export interface ThreadOptions {
  readonly job: TransportTargets
  readonly name: string
  readonly worker: WorkerOptions & { readonly autoEnd?: boolean }
  readonly sync: boolean
}

/** A started thread and its communication channels. */
export interface StartedThread {
  readonly worker: Worker
  /** Port for lines, separate from messages of other libraries to the thread. */
  readonly port: MessagePort
  /** Memory shared with the thread: see `ThreadData`. */
  readonly state: Int32Array
}

/**
 * Starts a thread that runs transports.
 *
 * @throws Error if the program of the thread is missing from a bundle.
 */
export function startThread({ job, name, worker: given }: ThreadOptions): StartedThread {
  const { port1: port, port2 } = new MessageChannel()
  const memory = new SharedArrayBuffer(8)
  const data: ThreadData = { memory, job, workerData: workerDataOf(job) }
  const { autoEnd: _, ...options } = given
  const all = ownCopy<WorkerOptions>({ ...options, name, trackUnmanagedFds: false, workerData: data })
  const worker = new Worker(program(), all)
  // The port is sent as the first message, not as worker data, because transports pass worker data on.
  worker.postMessage(port2, [port2])
  port.unref()
  return { worker, port, state: new Int32Array(memory) }
}

function workerDataOf({ options }: TransportTargets): object {
  return { $context: { threadStreamVersion: '4.0.0' }, ...options, pinoWillSendConfig: true }
}

function program(): string {
  const path = findBundledProgram('../compat/pino/pino-worker')
  if (path === undefined) {
    throw new Error(
      'pino.transport: pino-worker.mjs was not found next to the bundled code: copy node_modules/sluice/dist/pino-worker.mjs there',
    )
  }
  return path
}
