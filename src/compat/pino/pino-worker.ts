// The program of a transport's thread. It loads the targets and passes received lines to them.
import { setTimeout } from 'node:timers/promises'
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import { waitForDrain, openTargets, type TargetStream } from './transport-target.ts'
import { writtenPiecesIndex, endedIndex, type ThreadMessage, type ThreadData } from './transport-messages.ts'
import { hasOwn, member } from '../../options/own-members.ts'

const { memory, transportTargets } = workerData as ThreadData
const port = await receiveLinesPort()
/** The memory shared with the thread of the logger: see `ThreadData`. */
const sharedState = new Int32Array(memory)

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
  Atomics.store(sharedState, endedIndex, 1)
  Atomics.notify(sharedState, writtenPiecesIndex)
})

const stream = await openTargets(transportTargets)
stream.on('error', (err: unknown) => {
  Atomics.store(sharedState, endedIndex, 1)
  Atomics.notify(sharedState, writtenPiecesIndex)
  post({ code: 'ERROR', err })
})
stream.on('close', () => {
  Atomics.store(sharedState, endedIndex, 1)
  Atomics.notify(sharedState, writtenPiecesIndex)
  setImmediate(() => process.exit(0))
})

let queue: ThreadMessage[] = []
let isProcessing = false
port.on('message', (message: ThreadMessage) => {
  queue.push(message)
  if (!isProcessing) void processQueue()
})
post({ code: 'READY' })

async function processQueue(): Promise<void> {
  isProcessing = true
  // Write all text received so far at once, except that a flush or the end separates two writes.
  for (;;) {
    for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
      queue.push(more.message as ThreadMessage)
    }
    if (queue.length === 0) break
    const messages = queue
    queue = []
    await processMessages(messages)
  }
  isProcessing = false
}

async function processMessages(messages: readonly ThreadMessage[]): Promise<void> {
  let text = ''
  let pieceCount = 0
  for (const message of messages) {
    if (hasOwn(message, 'text')) {
      text += message.text
      pieceCount++
      continue
    }
    await writeText(text, pieceCount)
    text = ''
    pieceCount = 0
    if (hasOwn(message, 'end')) stream.end()
    else {
      await flushTarget(stream)
      post({ code: 'FLUSHED', id: message.flush })
    }
  }
  await writeText(text, pieceCount)
}

async function writeText(text: string, pieceCount: number): Promise<void> {
  if (pieceCount === 0) return
  if (stream.write(text) === false) await waitForDrain(stream)
  Atomics.add(sharedState, writtenPiecesIndex, pieceCount)
  Atomics.notify(sharedState, writtenPiecesIndex)
}

/** Calls `flush` of a target. If it has none, calls `flushSync`, if there is one, and waits until the target accepts more data. */
function flushTarget(target: TargetStream): Promise<unknown> {
  const flush = member(target, 'flush')
  if (typeof flush === 'function') {
    if (flush.length === 0) return Promise.resolve(flush.call(target))
    return new Promise((resolve) => void flush.call(target, resolve))
  }
  member(target, 'flushSync')?.call(target)
  return waitForDrain(target)
}

/** Receives the port for lines. It adds no listener to `parentPort`, because all later messages are for the targets. */
async function receiveLinesPort(): Promise<MessagePort> {
  for (;;) {
    const received = receiveMessageOnPort(parentPort!)
    if (received !== undefined) return received.message as MessagePort
    await setTimeout(1)
  }
}
