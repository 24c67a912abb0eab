// The program of a transport's thread. It loads the targets and passes received lines to them.
import { setTimeout } from 'node:timers/promises'
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import { drained, openTargets, type TargetStream } from './transport-target.ts'
import { done, ended, type Message, type ThreadData } from './transport-messages.ts'
import { hasOwn, member } from '../../options/own-members.ts'

const { memory, job } = workerData as ThreadData
const port = await linesPort()
const state = new Int32Array(memory)

function post(message: object): void {
  parentPort!.postMessage(message)
}

function fail(err: unknown): void {
  post({ code: 'ERROR', err })
  process.exit(1)
}

process.on('unhandledRejection', fail)
process.on('uncaughtException', fail)
process.on('exit', () => {
  Atomics.store(state, ended, 1)
  Atomics.notify(state, done)
})

const stream = await openTargets(job)
stream.on('error', (err: unknown) => {
  Atomics.store(state, ended, 1)
  Atomics.notify(state, done)
  post({ code: 'ERROR', err })
})
stream.on('close', () => {
  Atomics.store(state, ended, 1)
  Atomics.notify(state, done)
  setImmediate(() => process.exit(0))
})

let queue: Message[] = []
let isProcessing = false
port.on('message', (message: Message) => {
  queue.push(message)
  if (!isProcessing) void processQueue()
})
post({ code: 'READY' })

async function processQueue(): Promise<void> {
  isProcessing = true
  // Combine everything received so far into one write.
  for (;;) {
    for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
      queue.push(more.message as Message)
    }
    if (queue.length === 0) break
    const messages = queue
    queue = []
    await processMessages(messages)
  }
  isProcessing = false
}

async function processMessages(messages: readonly Message[]): Promise<void> {
  let text = ''
  let pieces = 0
  for (const message of messages) {
    if (hasOwn(message, 'text')) {
      text += message.text
      pieces++
      continue
    }
    await writeText(text, pieces)
    text = ''
    pieces = 0
    if (hasOwn(message, 'end')) stream.end()
    else {
      await flushTarget(stream)
      post({ code: 'FLUSHED', id: message.flush })
    }
  }
  await writeText(text, pieces)
}

async function writeText(text: string, pieces: number): Promise<void> {
  if (pieces === 0) return
  if (stream.write(text) === false) await drained(stream)
  Atomics.add(state, done, pieces)
  Atomics.notify(state, done)
}

/** Flushes a target with the method that it implements. */
function flushTarget(target: TargetStream): Promise<unknown> {
  const flush = member(target, 'flush')
  if (typeof flush === 'function') {
    if (flush.length === 0) return Promise.resolve(flush.call(target))
    return new Promise((resolve) => void flush.call(target, resolve))
  }
  member(target, 'flushSync')?.call(target)
  return drained(target)
}

/** Receives the port for lines without adding a listener, because later messages are for the targets. */
async function linesPort(): Promise<MessagePort> {
  for (;;) {
    const received = receiveMessageOnPort(parentPort!)
    if (received !== undefined) return received.message as MessagePort
    await setTimeout(1)
  }
}
