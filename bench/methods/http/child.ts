import { fork, type StdioOptions } from 'node:child_process'
import { basename } from 'node:path'
import { environment } from '../../run/process.ts'
import type { Job } from '../method.ts'

/** A process that answers one question at a time. */
export interface Child {
  ask<Answer extends object>(question: object): Promise<Answer>
  /** Lets the process go, and waits until it has ended. */
  stop(): Promise<void>
}

/**
 * @param stdout - a descriptor, which this process may close when the child has been started
 * @param over - ends this child; aborted by a child that ends badly, so that nobody waits for the others
 */
export function startChild(program: URL, job: Job, stdout: number | 'ignore', over: AbortController): Child {
  const { signal } = over
  const stdio: StdioOptions = ['ignore', stdout, 'inherit', 'ipc']
  const child = fork(program, [JSON.stringify(job)], { stdio, env: environment(), signal, killSignal: 'SIGKILL' })
  const ended = Promise.withResolvers<void>()
  let pending: PromiseWithResolvers<object> | undefined

  function fail(): void {
    pending?.reject(signal.reason)
    ended.reject(signal.reason)
  }
  // Whoever does not wait for the end was told by an answer that did not come.
  ended.promise.catch(() => {})
  child.on('message', (answer: object) => pending?.resolve(answer))
  child.on('error', (error) => {
    over.abort(error)
    fail()
  })
  child.on('exit', (code, killed) => {
    if (code === 0) return ended.resolve()
    over.abort(new Error(`${basename(program.pathname)} ended with ${killed ?? code}`))
    return fail()
  })

  return {
    async ask<Answer extends object>(question: object): Promise<Answer> {
      signal.throwIfAborted()
      pending = Promise.withResolvers<object>()
      child.send(question)
      return (await pending.promise) as Answer
    },
    stop() {
      if (child.connected) child.disconnect()
      return ended.promise
    },
  }
}
