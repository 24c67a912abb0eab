/** The target that is built into the thread of a transport. */
export const fileTarget = 'pino/file'

/** A module and its options. */
export interface Target {
  /** Path or URL of the module, or `pino/file`. */
  readonly target: string
  readonly options?: object | undefined
  /** Name of the minimum level of lines that the target, or the pipeline to which it belongs, receives. */
  readonly level?: string | undefined
}

/** The targets of a transport. */
export interface TransportTargets {
  /** The module of a transport with the option `target`; undefined with `targets` or `pipeline`. */
  readonly target?: string | undefined
  readonly targets: readonly Target[]
  /** Pipelines: in each, a module reads the output of the previous one. */
  readonly pipelines: readonly (readonly Target[])[]
  /** Numbers of custom levels, by name. */
  readonly levels?: Readonly<Record<string, number>> | undefined
  /** Whether a line is written only to those of the targets that accept it that have the highest minimum level. */
  readonly dedupe?: boolean | undefined
  /** Options of `target`. */
  readonly options: object
}

/** Index, in the shared memory, of the number of pieces of text that the thread has written. */
export const writtenPiecesIndex = 0
/** Index, in the shared memory, of a flag: 1 if the thread has ended or accepts no more lines, otherwise 0. */
export const endedIndex = 1

/** The worker data of a new thread. The port for lines is sent to the thread as the first message. */
export interface ThreadData {
  /** Two 32-bit integers, at `writtenPiecesIndex` and `endedIndex`. */
  readonly memory: SharedArrayBuffer
  readonly transportTargets: TransportTargets
  /** The data that transport modules read. */
  readonly workerData: object
}

/** A message to the thread: lines to write, the id of a flush to confirm, or the request to end. */
export type ThreadMessage = { readonly text: string } | { readonly flush: number } | { readonly end: true }
