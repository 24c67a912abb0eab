import { fork, type StdioOptions } from 'node:child_process'
import { basename } from 'node:path'
import { environment } from '../../run/process.ts'
import type { Job } from '../method.ts'

/** A child process that handles one command at a time. */
export interface Child {
  send<Reply extends object>(command: object): Promise<Reply>
  /** Disconnects the process and waits for its exit. */
  stop(): Promise<void>
}

/**
 * @param stdout - a descriptor, which the caller may close when the child has started
 * @param abort - kills the child when aborted; a child that fails aborts it, so that the others also end
 */
export function startChild(program: URL, job: Job, stdout: number | 'ignore', abort: AbortController): Child {
  const { signal } = abort
  const stdio: StdioOptions = ['ignore', stdout, 'inherit', 'ipc']
  const child = fork(program, [JSON.stringify(job)], { stdio, env: environment(), signal, killSignal: 'SIGKILL' })
  const ended = Promise.withResolvers<void>()
  let pending: PromiseWithResolvers<object> | undefined

  function fail(): void {
    pending?.reject(signal.reason)
    ended.reject(signal.reason)
  }
  // A caller that does not wait for the exit has received the rejection of its command.
  ended.promise.catch(() => {})
  child.on('message', (reply: object) => pending?.resolve(reply))
  child.on('error', (error) => {
    abort.abort(error)
    fail()
  })
  child.on('exit', (code, killed) => {
    if (code === 0) return ended.resolve()
    abort.abort(new Error(`${basename(program.pathname)} exited with ${killed ?? code}`))
    return fail()
  })

  return {
    async send<Reply extends object>(command: object): Promise<Reply> {
      signal.throwIfAborted()
      pending = Promise.withResolvers<object>()
      child.send(command)
      return (await pending.promise) as Reply
    },
    stop() {
      if (child.connected) child.disconnect()
      return ended.promise
    },
  }
}
