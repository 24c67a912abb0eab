// The program of the writer process: see process.ts. Its argument is JSON of WriterSettings; descriptor 3 leads to the parent.
import { Socket } from 'node:net'
import { stderrLine } from '../stderr.ts'
import { writerFor, type WriterSettings } from './writer-settings.ts'
import { WriterSession, writerHost } from './writer-session.ts'
import { ownCopy } from '../../options/own-members.ts'

const settings = JSON.parse(process.argv[2]!) as WriterSettings
const { name, drainMillis } = settings

// It ends when its parent has, and has said all. Whoever ends a group of processes means the parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const parent = new Socket(ownCopy({ fd: 3, readable: true, writable: true }))
let isAlone = false

/** A parent that is gone needs no answer. */
function send(bytes: Uint8Array): void {
  if (!isAlone) parent.write(bytes)
}

const { lines, writer } = writerFor(settings, settings.afterHalfLine, writerHost(send, drainMillis))
lines.keepAlive(true)
const session = new WriterSession(writer, send)

parent.on('data', (bytes) => session.receive(bytes))
// ECONNRESET says that the parent ended without having read every answer.
parent.on('error', () => {})
parent.on('end', () => void end())
parent.on('close', () => void end())

async function end(): Promise<void> {
  if (isAlone) return
  isAlone = true
  const lost = await session.finish(drainMillis)
  if (lost > 0) {
    stderrLine(
      `sluice: SLUICE_RECORDS_LOST: ${lost} records could not be written to ${name} after its process had ended\n`,
    )
  }
  process.exit()
}
