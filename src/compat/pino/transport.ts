import { createRequire } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { member, ownCopy } from '../../options/own-members.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import { callers } from './callers.ts'
import { optionError } from '../shared/option-error.ts'
import { transportUsesMultistreamSym } from './symbols.ts'
import { transportProblems } from './transport-problems.ts'
import { TransportThread } from './transport-thread.ts'
import { fileTarget, type TransportTargets, type Target } from './transport-messages.ts'
import { workerOptions } from './worker-options.ts'
import type {
  TransportMultiOptions,
  TransportPipelineOptions,
  TransportSingleOptions,
  TransportTargetOptions,
} from './transport-options.ts'
import { addMembers } from '../../options/define-member.ts'

type Given = Partial<TransportSingleOptions> & Partial<TransportMultiOptions> & Partial<TransportPipelineOptions>

/** Creates a stream whose lines are written by transport modules in a worker thread. */
export function transport(
  options: TransportSingleOptions | TransportMultiOptions | TransportPipelineOptions,
): TransportThread {
  const given = ownCopy(options) as Given
  const problems = transportProblems(given, '', member(Object(given) as Given, 'levels'))
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'pino.transport')
  const { target, targets, pipeline, levels, dedupe, sync = false, worker = {} } = given
  const callerFiles = given.caller === undefined ? callers(2) : [given.caller].flat()
  const find = (name: string): string => resolveTarget(name, callerFiles)
  const job: TransportTargets = {
    target: targets === undefined && pipeline === undefined ? find(target!) : undefined,
    targets: (targets ?? [])
      .map(ownCopy)
      .filter(isTarget)
      .map((each) => withPath(each, find)),
    pipelines: pipelinesOf(given, find),
    levels,
    dedupe,
    options: { ...given.options },
  }
  const name = job.target === undefined ? 'pino.transport' : target!
  const thread = new TransportThread({ job, name, sync, worker: workerOptions(worker) })
  const selectsByLevel = targets !== undefined && choosesByLevel(job)
  return selectsByLevel ? addMembers(thread, { [transportUsesMultistreamSym]: true }) : thread
}

function isTarget(each: object): each is TransportTargetOptions {
  return Boolean((each as { target?: unknown }).target)
}

function pipelinesOf({ targets, pipeline }: Given, find: (name: string) => string): Target[][] {
  if (pipeline !== undefined && targets === undefined) return [pipeline.map((each) => withPath(each, find))]
  const pipelines = (targets ?? []).map(ownCopy).filter((each) => 'pipeline' in each)
  return pipelines.map(({ pipeline, level }) => pipeline.map((each) => ({ ...withPath(each, find), level })))
}

function withPath(given: TransportTargetOptions, find: (name: string) => string): Target {
  const { target, options, level } = ownCopy(given)
  return { target: find(target), options, level }
}

/** Returns whether lines are selected by level. */
export function choosesByLevel({ targets, pipelines }: TransportTargets): boolean {
  const all = [...targets, ...pipelines.flat()]
  return targets.length + pipelines.length > 1 || all.some(({ level }) => level !== undefined && level !== null)
}

/** Resolves a target to a path, a URL, or a package that one of the callers can load. `pino/file` is built into the thread. */
function resolveTarget(given: string, callerFiles: readonly string[]): string {
  const name = bundledPath(given)
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

/** Returns the path of a module that a bundler moved. Bundlers list such paths in a global object. */
function bundledPath(name: string): string {
  const globalName = '__bundlerPathsOverrides'
  const overrides: unknown = Object.hasOwn(globalThis, globalName) ? Reflect.get(globalThis, globalName) : undefined
  if (typeof overrides !== 'object' || overrides === null || !Object.hasOwn(overrides, name)) return name
  return (overrides as Record<string, string>)[name] ?? name
}
