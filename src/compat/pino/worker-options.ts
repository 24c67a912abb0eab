import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from 'node:worker_threads'
import { member, ownCopy } from '../../options/own-members.ts'

type Given = WorkerOptions & { readonly autoEnd?: boolean }

/** Options of a thread, with what keeps the thread from running what is to be loaded in front of the program, or cannot be. */
export function workerOptions(options: Given): Given {
  const given = ownCopy(options)
  const said = member(process.env, 'NODE_OPTIONS')
  // What is loaded in front may be what makes the transport: each thread would make one more.
  const execArgv = given.execArgv === undefined && isPreloading() ? { execArgv: [] } : {}
  const usable = said === undefined || given.env !== undefined ? said : withoutMissing(said)
  const env = usable === said ? {} : { env: { ...process.env, NODE_OPTIONS: usable } }
  return ownCopy({ ...given, ...execArgv, ...env })
}

const preload = /^(?:--import|--require|-r)(?:=|$)/

function isPreloading(): boolean {
  return process.execArgv.some((argument) => preload.test(argument)) && member(process, 'mainModule') === undefined
}

/** NODE_OPTIONS without files to load first that are gone. */
function withoutMissing(said: string): string {
  const words = said.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const [flag] = word.split('=')
    const isPair = preload.test(word) && !word.includes('=')
    const file = isPair ? words[at + 1] : word.slice(flag!.length + 1)
    if (preload.test(word) && file !== undefined && isMissing(file)) {
      if (isPair) at++
    } else kept.push(word)
  }
  return kept.length === words.length ? said : kept.join(' ')
}

function isMissing(quoted: string): boolean {
  const named = quoted.replace(/^(["'])(.*)\1$/, '$2')
  try {
    const path = named.startsWith('file://') ? fileURLToPath(named) : named
    return isAbsolute(path) && !existsSync(path)
  } catch {
    return false
  }
}
