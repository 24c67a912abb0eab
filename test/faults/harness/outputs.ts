import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { waitUntil } from '../../support/wait-until.ts'
import type { Sink } from './commands.ts'

/**
 * An output of a process. `file` is a path. The others are its standard output: a file opened for appending or not (`>>` and `>`),
 * a named pipe, a local socket, a TCP connection.
 */
export type OutputKind = 'file' | 'appended file' | 'redirected file' | 'pipe' | 'socket' | 'connection'

/** A sink and its reader. */
export interface Output {
  /** Options for the start of a process. */
  readonly plan: { readonly sink: Sink; readonly stdout?: number | Socket }
  /** Its path in system calls, if it has one. */
  readonly path: string
  /** Stops the reader. Without effect for a file. */
  stall(): void
  /** Lets the reader continue. */
  resume(): void
  /** Disconnects the reader once it has read `last`. */
  disconnectReader(last: string): Promise<void>
  /** Returns everything that arrives until every writer has closed the output. */
  text(): Promise<string>
  close(): void
}

/** Opens an output. `path` and `<path>.read` must not exist. */
export async function openOutput(kind: OutputKind, path: string): Promise<Output> {
  if (kind === 'file') return fileOutput(path, { sink: { to: 'file', path } })
  if (kind === 'pipe') return pipeOutput(path)
  if (kind === 'socket') return socketOutput(path)
  if (kind === 'connection') return connectionOutput(path)
  return fileOutput(path, toStdout(openSync(path, kind === 'appended file' ? 'a' : 'w')))
}

function toStdout<T extends number | Socket>(stdout: T): { sink: Sink; stdout: T } {
  return { sink: { to: 'stdout' }, stdout }
}

/** Returns a file as an output. `plan` is how it is written, `path` where it is read. */
export function fileOutput(path: string, plan: Output['plan']): Output {
  return {
    plan,
    path,
    stall() {},
    resume() {},
    async disconnectReader() {},
    // A logger that writes in a thread may not have opened the file.
    text: async () => (existsSync(path) ? readFileSync(path, 'latin1') : ''),
    close: () => (typeof plan.stdout === 'number' ? closeSync(plan.stdout) : undefined),
  }
}

/** The reader is a separate process, which can be stopped and killed. */
function pipeOutput(path: string): Output {
  execFileSync('mkfifo', [path])
  // Opening a reader blocks until there is a writer, and the other way round.
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

function socketOutput(path: string): Output {
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

function readBy(reader: ChildProcess, path: string, closeWriter: () => void): Omit<Output, 'plan' | 'path'> {
  const gone = once(reader, 'close')
  return {
    stall: () => void reader.kill('SIGSTOP'),
    resume: () => void reader.kill('SIGCONT'),
    async disconnectReader(last) {
      await waitUntil(() => readFileSync(`${path}.read`, 'latin1').includes(last))
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

async function connectionOutput(path: string): Promise<Output> {
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
    resume: () => void reader.resume(),
    async disconnectReader(last) {
      await waitUntil(() => text.includes(last))
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
