import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { until } from '../../support/until.ts'
import type { Sink } from './commands.ts'

/**
 * What a process can write to. `file`: by its path. The others are its standard output: a file that it appends to or not
 * (`>>` and `>`), a named pipe, a local socket, a connection.
 */
export type OutletKind = 'file' | 'appended file' | 'redirected file' | 'pipe' | 'socket' | 'connection'

/** A sink, and whoever reads it. */
export interface Outlet {
  /** For the start of a process. */
  readonly plan: { readonly sink: Sink; readonly stdout?: number | Socket }
  /** What system calls on it name, where it has a name. */
  readonly path: string
  /** Its reader stops reading, or goes on; a file has none. */
  stall(): void
  goOn(): void
  /** Its reader takes what is there, and goes away. `last`: what that ends with. */
  leave(last: string): Promise<void>
  /** All that arrives until every writer has closed it. */
  text(): Promise<string>
  close(): void
}

/** Opens one. `path`: a free name; another with `.read` behind it may be used, too. */
export async function openOutlet(kind: OutletKind, path: string): Promise<Outlet> {
  if (kind === 'file') return fileOutlet(path, { sink: { to: 'file', path } })
  if (kind === 'pipe') return pipeOutlet(path)
  if (kind === 'socket') return socketOutlet(path)
  if (kind === 'connection') return connectionOutlet(path)
  return fileOutlet(path, toStdout(openSync(path, kind === 'appended file' ? 'a' : 'w')))
}

function toStdout<T extends number | Socket>(stdout: T): { sink: Sink; stdout: T } {
  return { sink: { to: 'stdout' }, stdout }
}

/** A file as an outlet; `plan` says how it is written to, `path` where it is read. */
export function fileOutlet(path: string, plan: Outlet['plan']): Outlet {
  return {
    plan,
    path,
    stall() {},
    goOn() {},
    async leave() {},
    // Who writes in a thread may not have opened it.
    text: async () => (existsSync(path) ? readFileSync(path, 'latin1') : ''),
    close: () => (typeof plan.stdout === 'number' ? closeSync(plan.stdout) : undefined),
  }
}

/** The reader is a process, as in life: it can be stopped and killed. */
function pipeOutlet(path: string): Outlet {
  execFileSync('mkfifo', [path])
  // A reader waits for a writer, and a writer for a reader.
  const both = openSync(path, constants.O_RDWR)
  const input = openSync(path, constants.O_RDONLY)
  const output = openSync(path, constants.O_WRONLY)
  closeSync(both)
  const reader = startReader(input, path)
  closeSync(input)
  let open = true
  const close = () => {
    if (open) closeSync(output)
    open = false
  }
  return { ...readBy(reader, path, close), plan: toStdout(output), path }
}

function socketOutlet(path: string): Outlet {
  const reader = startReader('pipe', path)
  const end = reader.stdin as Socket
  end.on('error', () => {})
  return { ...readBy(reader, path, () => end.destroy()), plan: toStdout(end), path }
}

function startReader(input: number | 'pipe', path: string): ChildProcess {
  const output = openSync(`${path}.read`, 'w')
  const reader = spawn('cat', { stdio: [input, output, 'ignore'] })
  closeSync(output)
  return reader
}

function readBy(reader: ChildProcess, path: string, closeWriter: () => void): Omit<Outlet, 'plan' | 'path'> {
  const gone = once(reader, 'close')
  return {
    stall: () => void reader.kill('SIGSTOP'),
    goOn: () => void reader.kill('SIGCONT'),
    async leave(last) {
      await until(() => readFileSync(`${path}.read`, 'latin1').includes(last))
      reader.kill('SIGKILL')
      await gone
    },
    async text() {
      closeWriter()
      reader.kill('SIGCONT')
      await gone
      return readFileSync(`${path}.read`, 'latin1')
    },
    close() {
      closeWriter()
      reader.kill('SIGKILL')
    },
  }
}

async function connectionOutlet(path: string): Promise<Outlet> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = connect((server.address() as AddressInfo).port, '127.0.0.1')
  end.on('error', () => {})
  const [[reader]] = (await Promise.all([once(server, 'connection'), once(end, 'connect')])) as [[Socket], unknown]
  let text = ''
  reader.setEncoding('latin1').on('data', (part: string) => (text += part))
  reader.on('error', () => {})
  const gone = once(reader, 'close')
  return {
    plan: toStdout(end),
    path,
    stall: () => void reader.pause(),
    goOn: () => void reader.resume(),
    async leave(last) {
      await until(() => text.includes(last))
      reader.resetAndDestroy()
    },
    async text() {
      // The write side of the shared connection is only closed with its last descriptor.
      end.destroy()
      reader.resume()
      await gone
      return text
    },
    close() {
      end.destroy()
      reader.destroy()
      server.close()
    },
  }
}
