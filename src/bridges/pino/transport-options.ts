import type { WorkerOptions } from 'node:worker_threads'

/** A module whose default export makes a stream of `options`. */
export interface TransportTargetOptions<Options = Record<string, unknown>> {
  target: string
  options?: Options
  level?: string
}

/** What transports have in common. */
export interface TransportBaseOptions<Options = Record<string, unknown>> {
  options?: Options
  /** Options of the worker thread. `autoEnd: false`: it is not ended with the process. */
  worker?: WorkerOptions & { autoEnd?: boolean }
  /** Where targets are looked up. Default: the files that the call came through. */
  caller?: string | readonly string[]
  /** Whether a line is in the thread's hands when the log call returns. Default false. */
  sync?: boolean
}

/** One target. */
export interface TransportSingleOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  target: string
}

/** Transforms, and a target at their end. */
export interface TransportPipelineOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  pipeline: TransportSingleOptions<Options>[]
  level?: string
}

/** Several targets, each with its level. */
export interface TransportMultiOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  targets: readonly (TransportTargetOptions<Options> | TransportPipelineOptions<Options>)[]
  levels?: Record<string, number>
  dedupe?: boolean
}
