/** The target that a transport's thread opens without loading a module. */
export const fileTarget = 'pino/file'

/** A module and what it is called with. */
export interface Target {
  readonly target: string
  readonly options?: object | undefined
  readonly level?: string | undefined
}

/** What a transport's thread does. */
export interface Job {
  /** The one target; undefined where there are several, or pipelines. */
  readonly target?: string | undefined
  readonly targets: readonly Target[]
  readonly pipelines: readonly (readonly Target[])[]
  readonly levels?: Readonly<Record<string, number>> | undefined
  readonly dedupe?: boolean | undefined
  readonly options: object
}

/** Where in the shared memory the thread counts the pieces that it has written, and says that it is done. */
export const done = 0
export const ended = 1

/** What the thread is started with, beside a port of lines, which is the first message to it. Modules that are made for transports look for `workerData` in it. */
export interface ThreadData {
  /** Two 32-bit integers, at `done` and `ended`. */
  readonly memory: SharedArrayBuffer
  readonly job: Job
  readonly workerData: object
}

/** What the thread is told. */
export type Message = { readonly text: string } | { readonly flush: number } | { readonly end: true }
