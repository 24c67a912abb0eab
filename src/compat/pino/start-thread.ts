import { MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads'
import { findBundledProgram } from '../../exporters/bundled-program.ts'
import type { TransportTargets, ThreadData } from './transport-messages.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** Options of the thread of a transport. */
export interface ThreadOptions {
  readonly transportTargets: TransportTargets
  /** Name of the thread. */
  readonly name: string
  /** Options of the worker. `autoEnd`: whether the thread is ended when the process exits; default: true. */
  readonly worker: WorkerOptions & { readonly autoEnd?: boolean }
  /** Whether each line is sent to the thread before `write` returns. */
  readonly sync: boolean
}

/** A started thread and its communication channels. */
export interface StartedThread {
  readonly worker: Worker
  /** Port for lines. Messages of other libraries to the thread do not use it. */
  readonly port: MessagePort
  /** Memory shared with the thread: see `ThreadData`. */
  readonly sharedState: Int32Array
}

/**
 * Starts a thread that runs transports.
 *
 * @throws Error if the program of the thread is missing from a bundle.
 */
export function startThread({ transportTargets, name, worker: workerOptions }: ThreadOptions): StartedThread {
  const { port1: port, port2 } = new MessageChannel()
  const memory = new SharedArrayBuffer(8)
  const data: ThreadData = { memory, transportTargets, workerData: workerDataOf(transportTargets) }
  const { autoEnd: _, ...options } = workerOptions
  const allOptions = withoutPrototype<WorkerOptions>({ ...options, name, trackUnmanagedFds: false, workerData: data })
  const worker = new Worker(findProgram(), allOptions)
  // The port is sent as the first message, not as worker data, because a transport may pass its worker data to a thread of its own.
  worker.postMessage(port2, [port2])
  port.unref()
  return { worker, port, sharedState: new Int32Array(memory) }
}

/** Returns the data that transport modules read, in the form that pino's threads have. */
function workerDataOf({ options }: TransportTargets): object {
  return { $context: { threadStreamVersion: '4.0.0' }, ...options, pinoWillSendConfig: true }
}

/** Returns the path of the thread's program. */
function findProgram(): string {
  const path = findBundledProgram('../compat/pino/pino-worker')
  if (path === undefined) {
    throw new Error(
      'pino.transport: pino-worker.mjs was not found next to the bundled code: copy node_modules/sluice/dist/pino-worker.mjs there',
    )
  }
  return path
}
