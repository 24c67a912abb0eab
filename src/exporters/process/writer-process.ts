// The program of the writer process: see process-exporter.ts. Its argument is JSON of WriterSettings; descriptor 3 is the
// socket to the parent.
import { counted } from '../../options/counted.ts'
import { Socket } from 'node:net'
import { writeStderrLine } from '../stderr.ts'
import { createWriter, type WriterSettings } from './writer-settings.ts'
import { WriterSession, createWriterHost } from './writer-session.ts'
import { withoutPrototype } from '../../options/own-members.ts'

const settings = JSON.parse(process.argv[2]!) as WriterSettings
const { name, drainMillis } = settings

// Ignore signals that would end this process. It exits after its parent has exited and the received batches are written.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const parent = new Socket(withoutPrototype({ fd: 3, readable: true, writable: true }))
let isParentGone = false

/** Sends bytes to the parent unless it has exited. */
function send(bytes: Uint8Array): void {
  if (!isParentGone) parent.write(bytes)
}

const { fdWriter, durableWriter } = createWriter(
  settings,
  settings.mayEndInsideLine,
  createWriterHost(send, drainMillis),
)
fdWriter.keepAlive(true)
const session = new WriterSession(durableWriter, send)

parent.on('data', (bytes) => session.receive(bytes))
// ECONNRESET means that the parent exited without reading every answer.
parent.on('error', () => {})
parent.on('end', () => void finishAndExit())
parent.on('close', () => void finishAndExit())

/** Writes the received batches within the time limits of `finish`, reports how many records are lost, and exits. */
async function finishAndExit(): Promise<void> {
  if (isParentGone) return
  isParentGone = true
  const lost = await session.finish(drainMillis)
  if (lost > 0) {
    writeStderrLine(
      `sluice: SLUICE_RECORDS_LOST: ${counted(lost, 'record')} could not be written to ${name} after the parent process exited\n`,
    )
  }
  process.exit()
}
