import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from 'node:worker_threads'
import { member, withoutPrototype } from '../../options/own-members.ts'

type TransportWorkerOptions = WorkerOptions & { readonly autoEnd?: boolean }

/**
 * Returns the options of a transport's thread. Two kinds of preloaded modules (`--import`, `--require`) are omitted: those in the arguments
 * of this process that could create another transport, unless the options set `execArgv`, and files in NODE_OPTIONS that no longer exist,
 * unless the options set `env`.
 */
export function resolveWorkerOptions(options: TransportWorkerOptions): TransportWorkerOptions {
  const copiedOptions = withoutPrototype(options)
  const nodeOptions = member(process.env, 'NODE_OPTIONS')
  // A preloaded module may be the one that creates the transport, so each thread would create another one.
  const execArgv = copiedOptions.execArgv === undefined && isPreloading() ? { execArgv: [] } : {}
  const usableNodeOptions =
    nodeOptions === undefined || copiedOptions.env !== undefined ? nodeOptions : withoutMissingPreloads(nodeOptions)
  const env = usableNodeOptions === nodeOptions ? {} : { env: { ...process.env, NODE_OPTIONS: usableNodeOptions } }
  return withoutPrototype({ ...copiedOptions, ...execArgv, ...env })
}

const preloadFlag = /^(?:--import|--require|-r)(?:=|$)/

/** Returns whether this process preloads modules and has no CommonJS main module yet, so that a preloaded module may be running. */
function isPreloading(): boolean {
  return process.execArgv.some((argument) => preloadFlag.test(argument)) && member(process, 'mainModule') === undefined
}

/** Returns NODE_OPTIONS without preloaded files that no longer exist. Only absolute paths and file URLs are checked. */
function withoutMissingPreloads(nodeOptions: string): string {
  const tokens = nodeOptions.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []
  const remaining: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const [flag] = token.split('=')
    const hasSeparateValue = preloadFlag.test(token) && !token.includes('=')
    const file = hasSeparateValue ? tokens[at + 1] : token.slice(flag!.length + 1)
    if (preloadFlag.test(token) && file !== undefined && isMissing(file)) {
      if (hasSeparateValue) at++
    } else remaining.push(token)
  }
  return remaining.length === tokens.length ? nodeOptions : remaining.join(' ')
}

function isMissing(quoted: string): boolean {
  const unquoted = quoted.replace(/^(["'])(.*)\1$/, '$2')
  try {
    const path = unquoted.startsWith('file://') ? fileURLToPath(unquoted) : unquoted
    return isAbsolute(path) && !existsSync(path)
  } catch {
    return false
  }
}
