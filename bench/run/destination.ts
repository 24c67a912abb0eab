import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job } from '../methods/method.ts'
import { checkLines, type Verdict } from './check-lines.ts'

const readingProcess = fileURLToPath(new URL('pipe-reader.ts', import.meta.url))

/** The possible standard outputs of a measured process. */
export const destinations = ['null', 'file', 'pipe'] as const
export type Destination = (typeof destinations)[number]

/** A pause of the reader after a number of lines. */
export interface Stall {
  readonly afterLines: number
  readonly millis: number
}

/** An opened destination for one measured process. */
export interface OpenDestination {
  /** The standard output of the process. Close it after the process has started. */
  readonly fd: number
  /** Checks what arrived. Call it after the process has exited. Undefined for /dev/null. */
  verdict(): Promise<Verdict | undefined>
}

export const openDestination: Readonly<Record<Destination, (job: Job, folder: string) => Promise<OpenDestination>>> = {
  null: async () => ({ fd: openSync('/dev/null', 'w'), verdict: async () => undefined }),
  file: openFile,
  pipe: (job, folder) => openPipe(job, folder),
}

async function openFile(job: Job, folder: string): Promise<OpenDestination> {
  const path = join(folder, 'out.log')
  return {
    fd: openSync(path, 'a'),
    async verdict() {
      const bytes = readFileSync(path)
      // Removed immediately, so that most of it never reaches the disk, which is idle in the next run.
      rmSync(path)
      return checkLines(bytes, job)
    },
  }
}

/**
 * Opens a pipe as a shell does for `a | b`. Node's own `pipe` is a socket pair, so this is a named pipe that is unlinked
 * before it is used. It is first opened for reading and writing, because opening one end blocks until the other is open.
 */
export async function openPipe(job: Job, folder: string, stall?: Stall): Promise<OpenDestination> {
  const path = join(folder, 'pipe')
  const { status } = spawnSync('mkfifo', [path], { stdio: 'inherit' })
  if (status !== 0) throw new Error('mkfifo failed')
  const both = openSync(path, constants.O_RDWR)
  const readEnd = openSync(path, constants.O_RDONLY)
  const fd = openSync(path, constants.O_WRONLY)
  closeSync(both)
  rmSync(path)
  const reader = spawn(process.execPath, [readingProcess, JSON.stringify(job), JSON.stringify(stall ?? null)], {
    stdio: [readEnd, 'inherit', 'inherit', 'ipc'],
  })
  closeSync(readEnd)
  await nextMessage(reader)
  // Listens now, because the reader can finish before `verdict` is called.
  const verdict = nextMessage<Verdict>(reader)
  verdict.catch(() => {})
  return { fd, verdict: () => verdict }
}

async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'disconnect')])) as [unknown?]
  if (message === undefined) throw new Error('the reader of the pipe exited too early')
  return message as T
}
