import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { plainLine, readPlainLine } from './plain-line.ts'
import type { Log, LogSetup, Subject } from './subject.ts'

const writingProcess = fileURLToPath(new URL('child-process-writer.ts', import.meta.url))

/** A simple logger with a common design, in which another process writes. */
export const childProcess: Subject = {
  title: 'JSON.stringify and a forked process that writes (its CPU and memory are not counted)',
  whenFull: 'keeps everything in memory, without a limit',
  open,
  read: readPlainLine,
}

async function open({ bound, nestedBound }: LogSetup): Promise<Log> {
  const child = fork(writingProcess, { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] })
  const stdin = child.stdin!
  await once(child, 'message')
  // The child exits when its standard input ends, and must not keep this process alive.
  child.unref()
  child.channel!.unref()
  const bindings = { ...bound, ...nestedBound }
  let bytes = 0

  function write(line: string): void {
    const text = `${line}\n`
    bytes += Buffer.byteLength(text)
    stdin.write(text)
  }

  return {
    text: (message) => write(plainLine(message, bindings)),
    attributes: (message, attributes) => write(plainLine(message, { ...bindings, ...attributes })),
    async flush() {
      child.channel!.ref()
      const written = once(child, 'message')
      child.send(bytes)
      await written
      child.channel!.unref()
    },
  }
}
