import { createRequire } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import { getCallerFiles } from './caller-files.ts'
import { optionError } from '../shared/option-error.ts'
import { transportUsesMultistreamSym } from './symbols.ts'
import { transportProblems } from './transport-problems.ts'
import { TransportThread } from './transport-thread.ts'
import { fileTarget, type TransportTargets, type Target } from './transport-messages.ts'
import { resolveWorkerOptions } from './worker-options.ts'
import type {
  TransportMultiOptions,
  TransportPipelineOptions,
  TransportSingleOptions,
  TransportTargetOptions,
} from './transport-options.ts'
import { addMembers } from '../../options/define-member.ts'

type AnyTransportOptions = Partial<TransportSingleOptions> &
  Partial<TransportMultiOptions> &
  Partial<TransportPipelineOptions>

/** Creates a stream whose lines are written by transport modules in a worker thread. */
export function transport(
  options: TransportSingleOptions | TransportMultiOptions | TransportPipelineOptions,
): TransportThread {
  const copiedOptions = withoutPrototype(options) as AnyTransportOptions
  const problems = transportProblems(copiedOptions, '', member(Object(copiedOptions) as AnyTransportOptions, 'levels'))
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'pino.transport')
  const { target, targets, pipeline, levels, dedupe, sync = false, worker = {} } = copiedOptions
  const callerFiles = copiedOptions.caller === undefined ? getCallerFiles(2) : [copiedOptions.caller].flat()
  const resolvePath = (name: string): string => resolveTarget(name, callerFiles)
  const transportTargets: TransportTargets = {
    target: targets === undefined && pipeline === undefined ? resolvePath(target!) : undefined,
    // A pipeline among the targets has no `target`.
    targets: (targets ?? [])
      .map(withoutPrototype)
      .filter(isTarget)
      .map((each) => withResolvedPath(each, resolvePath)),
    pipelines: pipelinesOf(copiedOptions, resolvePath),
    levels,
    dedupe,
    options: { ...copiedOptions.options },
  }
  const name = transportTargets.target === undefined ? 'pino.transport' : target!
  const thread = new TransportThread({ transportTargets, name, sync, worker: resolveWorkerOptions(worker) })
  const usesMultistream = targets !== undefined && targetsSelectByLevel(transportTargets)
  return usesMultistream ? addMembers(thread, { [transportUsesMultistreamSym]: true }) : thread
}

function isTarget(each: object): each is TransportTargetOptions {
  return Boolean((each as { target?: unknown }).target)
}

function pipelinesOf({ targets, pipeline }: AnyTransportOptions, resolvePath: (name: string) => string): Target[][] {
  if (pipeline !== undefined && targets === undefined)
    return [pipeline.map((each) => withResolvedPath(each, resolvePath))]
  const pipelines = (targets ?? []).map(withoutPrototype).filter((each) => 'pipeline' in each)
  return pipelines.map(({ pipeline, level }) =>
    pipeline.map((each) => ({ ...withResolvedPath(each, resolvePath), level })),
  )
}

function withResolvedPath(targetOptions: TransportTargetOptions, resolvePath: (name: string) => string): Target {
  const { target, options, level } = withoutPrototype(targetOptions)
  return { target: resolvePath(target), options, level }
}

/** Returns whether each target receives only the lines of at least its minimum level; otherwise the only one receives all lines. */
export function targetsSelectByLevel({ targets, pipelines }: TransportTargets): boolean {
  const all = [...targets, ...pipelines.flat()]
  return targets.length + pipelines.length > 1 || all.some(({ level }) => level !== undefined && level !== null)
}

/**
 * Returns the path or URL of a target's module. The name of a package is resolved from the first of the caller files that can load it.
 * `pino/file` is returned unchanged, because it is built into the thread.
 */
function resolveTarget(target: string, callerFiles: readonly string[]): string {
  const name = bundledPath(target)
  if (name === fileTarget || isAbsolute(name) || name.startsWith('file://')) return name
  for (const caller of callerFiles) {
    try {
      return createRequire(caller === 'node:repl' ? join(process.cwd(), 'repl.js') : caller).resolve(name)
    } catch {
      // The next caller may be able to load it.
    }
  }
  throw optionError('target', `unable to determine transport target for "${name}"`)
}

/** Returns the path of a module that a bundler has moved, otherwise `name`. Bundlers list such paths in a global object. */
function bundledPath(name: string): string {
  const globalName = '__bundlerPathsOverrides'
  const overrides: unknown = Object.hasOwn(globalThis, globalName) ? Reflect.get(globalThis, globalName) : undefined
  if (typeof overrides !== 'object' || overrides === null || !Object.hasOwn(overrides, name)) return name
  return (overrides as Record<string, string>)[name] ?? name
}
