import { frameDocument } from './frame-document.ts'
import type { RedactedRows, StopReason, WorkerMessage, WorkerRequest } from './messages.ts'

export interface WorkerListener {
  onMessage(message: WorkerMessage): void
  onStopped(reason: StopReason): void
}

/** How often the page tests whether the worker answers, in ms. */
const pingMillis = 200
/** The number of tests without an answer after which a worker is stopped. */
const maxUnanswered = 5
/** The number of these tests until a worker has started, which takes longer on a busy machine. */
const maxUnansweredAtStart = 100
/** The number of these tests until a worker is stopped that answers. It ends earlier, unless the program has replaced built-in functions. */
const maxTests = 30
/** The maximum length of all messages, in UTF-16 units. The worker sends less, unless the program has replaced built-in functions. */
const maxLength = 10_000_000

/**
 * Starts a worker in a frame of its own and sends it a request. An endless loop is detected because the worker does not answer.
 *
 * @returns a function that stops the worker
 */
export function startWorker(workerCode: string, request: WorkerRequest, listener: WorkerListener): () => void {
  const frame = document.createElement('iframe')
  const { port1: port, port2 } = new MessageChannel()
  let unanswered = 0
  let tests = 0
  let isStarted = false
  let length = 0

  frame.setAttribute('sandbox', 'allow-scripts')
  frame.hidden = true
  frame.title = 'Playground'
  frame.srcdoc = frameDocument
  frame.addEventListener('load', () => frame.contentWindow?.postMessage({ workerCode, request }, '*', [port2]))
  port.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.kind === 'ready' || data.kind === 'alive') {
      unanswered = 0
      isStarted = true
      return
    }
    length += lengthOf(data)
    if (length > maxLength) return stopFor('tooMuchOutput')
    if (data.kind === 'end' || data.kind === 'redaction') stop()
    listener.onMessage(data)
  })
  port.start()
  const timer = setInterval(() => {
    if (unanswered++ >= (isStarted ? maxUnanswered : maxUnansweredAtStart))
      return stopFor(isStarted ? 'noAnswer' : 'notStarted')
    if (!isStarted) return
    if (tests++ >= maxTests) return stopFor('timeLimit')
    port.postMessage(undefined)
  }, pingMillis)
  document.body.append(frame)

  function stop(): void {
    clearInterval(timer)
    port.close()
    // The worker ends with its frame.
    frame.remove()
  }

  function stopFor(reason: StopReason): void {
    stop()
    listener.onStopped(reason)
  }
  return stop
}

function lengthOf(message: WorkerMessage): number {
  switch (message.kind) {
    case 'record':
      return Object.values(message.texts).join('').length + lengthOfRows(message.redacted)
    case 'console':
      return message.text.length
    case 'error':
      return message.message.length
    case 'redaction':
      return (message.written?.length ?? 0) + lengthOfRows(message.redacted)
    default:
      return 0
  }
}

function lengthOfRows(redacted: RedactedRows | undefined): number {
  return (redacted?.rows ?? []).flatMap(({ path, rule, replacement = '' }) => [path, rule, replacement]).join('').length
}
