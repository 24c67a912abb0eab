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
   * Name of the minimum level of lines that the target receives.
   *
   * @defaultValue `info`; if it is the only target, all levels
   */
  level?: string
}

/** Options of all kinds of transports. */
export interface TransportBaseOptions<Options = Record<string, unknown>> {
  /**
   * Argument of the function of `target`. In `targets` and `pipeline`, each module has its own `options`.
   *
   * @defaultValue none
   */
  options?: Options
  /**
   * Options of the worker thread. With `autoEnd: false`, the thread is not ended when the process exits, and the exit does not wait for
   * queued lines.
   *
   * @defaultValue none
   */
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
   * Name of the minimum level of lines that the pipeline receives, if it is one of `targets`.
   *
   * @defaultValue `info`; if it is the only target, all levels
   */
  level?: string
}

/** A transport with several targets, each with its level. */
export interface TransportMultiOptions<Options = Record<string, unknown>> extends TransportBaseOptions<Options> {
  /** Targets and pipelines. Each receives the lines of at least its level. */
  targets: readonly (TransportTargetOptions<Options> | TransportPipelineOptions<Options>)[]
  /**
   * Numbers of custom levels, by name. In `pino({ transport })`, the logger's `customLevels` are added.
   *
   * @defaultValue none
   */
  levels?: Record<string, number>
  /**
   * Whether a line is written only to those targets, among all that accept it, that have the highest minimum level.
   *
   * @defaultValue false
   */
  dedupe?: boolean
}
