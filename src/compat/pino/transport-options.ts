import type { WorkerOptions } from 'node:worker_threads'

/** A module whose default export creates a stream from `options`. */
export interface TransportTargetOptions<Options = Record<string, unknown>> {
  /** The module: a package, a path, a file URL, or `pino/file`. */
  target: string
  /**
   * Argument of the module's function.
   *
   * @defaultValue none
   */
  options?: Options
  /**
   * Minimum level of lines that the target receives, by name.
   *
   * @defaultValue `info`; for a single target, all levels
   */
  level?: string
}

/** Options of all kinds of transports. */
export interface TransportBaseOptions<Options = Record<string, unknown>> {
  /**
   * Argument of the module's function.
   *
   * @defaultValue none
   */
  options?: Options
  /** Options of the worker thread. With `autoEnd: false`, the thread is not ended when the process exits. */
  worker?: WorkerOptions & { autoEnd?: boolean }
  /**
   * Files from which targets are resolved.
   *
   * @defaultValue the files on the call stack
   */
  caller?: string | readonly string[]
  /**
   * Whether lines are sent to the thread before the log call returns.
   *
   * @defaultValue false
   */
  sync?: boolean
}

/** A transport with a single target. */
export interface TransportSingleOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  /** The module: a package, a path, a file URL, or `pino/file`. */
  target: string
}

/** A transport with transforms, followed by a target. */
export interface TransportPipelineOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  /** The modules in order: each reads the output of the previous one. */
  pipeline: TransportSingleOptions<Options>[]
  /**
   * Minimum level of lines that the pipeline receives, by name, if it is one of `targets`.
   *
   * @defaultValue `info`
   */
  level?: string
}

/** A transport with several targets, each with its level. */
export interface TransportMultiOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  /** Targets and pipelines. Each receives the lines of its level. */
  targets: readonly (TransportTargetOptions<Options> | TransportPipelineOptions<Options>)[]
  /** Numbers of custom levels, by name. In `pino({ transport })`, the logger's `customLevels` are used. */
  levels?: Record<string, number>
  /**
   * Whether a line is written only to the targets with the highest level that accept it, instead of all that accept it.
   *
   * @defaultValue false
   */
  dedupe?: boolean
}
