/** The target that is built into the thread of a transport. */
export const fileTarget = 'pino/file'

/** A module and its options. */
export interface Target {
  readonly target: string
  readonly options?: object | undefined
  readonly level?: string | undefined
}

/** The targets of a transport. */
export interface TransportTargets {
  /** The only target; undefined if there are several, or pipelines. */
  readonly target?: string | undefined
  readonly targets: readonly Target[]
  readonly pipelines: readonly (readonly Target[])[]
  readonly levels?: Readonly<Record<string, number>> | undefined
  readonly dedupe?: boolean | undefined
  readonly options: object
}

/** Indexes in the shared memory: the number of pieces that the thread has written, and whether it has ended. */
export const done = 0
export const ended = 1

/** Data of a new thread. The port for lines is its first message. Transport modules read `workerData`. */
export interface ThreadData {
  /** Two 32-bit integers, at `done` and `ended`. */
  readonly memory: SharedArrayBuffer
  readonly job: TransportTargets
  readonly workerData: object
}

/** A message to the thread. */
export type Message = { readonly text: string } | { readonly flush: number } | { readonly end: true }
