// The program of the writer process: see process-exporter.ts. Its argument is JSON of WriterSettings; descriptor 3 is the
// socket to the parent.
import { Socket } from 'node:net'
import { stderrLine } from '../stderr.ts'
import { writerFor, type WriterSettings } from './writer-settings.ts'
import { WriterSession, writerHost } from './writer-session.ts'
import { ownCopy } from '../../options/own-members.ts'

const settings = JSON.parse(process.argv[2]!) as WriterSettings
const { name, drainMillis } = settings

// This process exits after its parent has exited and everything is written. A signal to the process group is meant for the
// parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const parent = new Socket(ownCopy({ fd: 3, readable: true, writable: true }))
let isParentGone = false

/** Sends bytes to the parent unless it has exited. */
function send(bytes: Uint8Array): void {
  if (!isParentGone) parent.write(bytes)
}

const { lines, writer } = writerFor(settings, settings.afterHalfLine, writerHost(send, drainMillis))
lines.keepAlive(true)
const session = new WriterSession(writer, send)

parent.on('data', (bytes) => session.receive(bytes))
// ECONNRESET means that the parent exited without reading every answer.
parent.on('error', () => {})
parent.on('end', () => void end())
parent.on('close', () => void end())

async function end(): Promise<void> {
  if (isParentGone) return
  isParentGone = true
  const lost = await session.finish(drainMillis)
  if (lost > 0) {
    stderrLine(
      `sluice: SLUICE_RECORDS_LOST: ${lost} records could not be written to ${name} after the parent process exited\n`,
    )
  }
  process.exit()
}
