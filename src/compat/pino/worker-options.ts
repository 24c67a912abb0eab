import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from 'node:worker_threads'
import { member, ownCopy } from '../../options/own-members.ts'

type Given = WorkerOptions & { readonly autoEnd?: boolean }

/** Returns options of a thread with which it preloads no modules that could create another transport, or that are missing. */
export function workerOptions(options: Given): Given {
  const given = ownCopy(options)
  const nodeOptions = member(process.env, 'NODE_OPTIONS')
  // A preloaded module may be the one that creates the transport, so each thread would create another one.
  const execArgv = given.execArgv === undefined && isPreloading() ? { execArgv: [] } : {}
  const usable = nodeOptions === undefined || given.env !== undefined ? nodeOptions : withoutMissing(nodeOptions)
  const env = usable === nodeOptions ? {} : { env: { ...process.env, NODE_OPTIONS: usable } }
  return ownCopy({ ...given, ...execArgv, ...env })
}

const preload = /^(?:--import|--require|-r)(?:=|$)/

function isPreloading(): boolean {
  return process.execArgv.some((argument) => preload.test(argument)) && member(process, 'mainModule') === undefined
}

/** Returns NODE_OPTIONS without preloaded files that no longer exist. */
function withoutMissing(nodeOptions: string): string {
  const tokens = nodeOptions.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []
  const remaining: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const [flag] = token.split('=')
    const isPair = preload.test(token) && !token.includes('=')
    const file = isPair ? tokens[at + 1] : token.slice(flag!.length + 1)
    if (preload.test(token) && file !== undefined && isMissing(file)) {
      if (isPair) at++
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
