import type { WorkerOptions } from 'node:worker_threads'

/** A module whose default export makes a stream of `options`. */
export interface TransportTargetOptions<Options = Record<string, unknown>> {
  /** The module: a package, a path, a URL of a file, or `pino/file`. */
  target: string
  /** What the module is called with. Default: nothing. */
  options?: Options
  /** The least level that goes there, by name. Default `info`; of a single target, every level. */
  level?: string
}

/** What transports have in common. */
export interface TransportBaseOptions<Options = Record<string, unknown>> {
  /** What the module is called with. Default: nothing. */
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
  /** The module: a package, a path, a URL of a file, or `pino/file`. */
  target: string
}

/** Transforms, and a target at their end. */
export interface TransportPipelineOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  /** The modules in order: each reads what the one before it writes. */
  pipeline: TransportSingleOptions<Options>[]
  /** The least level that goes there, by name, as one of `targets`. Default `info`. */
  level?: string
}

/** Several targets, each with its level. */
export interface TransportMultiOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  /** The targets, and pipelines. Each gets the lines of its level. */
  targets: readonly (TransportTargetOptions<Options> | TransportPipelineOptions<Options>)[]
  /** Numbers of levels that are not standard, by name. In `pino({ transport })` they are the logger's `customLevels`. */
  levels?: Record<string, number>
  /** Whether a line goes only to the targets of the highest level that takes it. Default false: to all that take it. */
  dedupe?: boolean
}
