import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job } from '../methods/method.ts'
import { checkLines, type Verdict } from './check-lines.ts'

const readingProcess = fileURLToPath(new URL('pipe-reader.ts', import.meta.url))

/** What stands behind the standard output of a measured process. */
export const destinations = ['null', 'file', 'pipe'] as const
export type Destination = (typeof destinations)[number]

/** A reader that sleeps once so many lines have arrived. */
export interface Stall {
  readonly afterLines: number
  readonly millis: number
}

/** One opened destination, for one measured process. */
export interface OpenDestination {
  /** The standard output of the process; close it here once it has been handed over. */
  readonly fd: number
  /** Judges what arrived, after the process has ended; undefined where nothing is kept. */
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
      // At once, so that most of it never reaches the disk and the next run finds it idle.
      rmSync(path)
      return checkLines(bytes, job)
    },
  }
}

/**
 * A named pipe whose name is gone before anything is written: what a shell makes of `a | b`, where Node's own `pipe` is
 * a pair of sockets. Opened for both first, because an end waits for the other one to be opened.
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
  // Listened for from now on: the reader may be done before anyone asks.
  const verdict = nextMessage<Verdict>(reader)
  verdict.catch(() => {})
  return { fd, verdict: () => verdict }
}

async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'disconnect')])) as [unknown?]
  if (message === undefined) throw new Error('the reader of the pipe ended too early')
  return message as T
}
