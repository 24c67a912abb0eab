import type { WorkerMessage, WorkerRequest } from '../messages.ts'
import { runProgram } from './run-program.ts'
import { testRedaction } from './test-redaction.ts'

/** Receives the request and the port to the page, which the program cannot reach. */
addEventListener(
  'message',
  ({ data, ports }: MessageEvent<WorkerRequest>) => {
    const [port] = ports as [MessagePort]
    const post = port.postMessage.bind(port) as (message: WorkerMessage) => void
    // The page sends messages to detect endless loops.
    port.addEventListener('message', () => post({ kind: 'alive' }))
    port.start()
    post({ kind: 'ready' })
    if (data.kind === 'redaction') post(testRedaction(data))
    else void runProgram(data, post)
  },
  { once: true },
)
