import nodeConsole, { Console } from 'node:console'
import { member, ownCopy } from '../options/own-members.ts'
import type { TextStream } from '../exporters/stream-exporter.ts'
import { define } from '../options/define-member.ts'
import { printing, silent, type ConsoleMethod } from './methods.ts'
import type { StreamProxy } from './stream-proxy.ts'

/** A method of a console. */
export type Method = (...args: unknown[]) => unknown

/** The original printing methods of a console. */
export type Methods = Readonly<Record<ConsoleMethod, Method>>

/** Replacement streams, and optionally methods, that receive the text and calls of a console. */
export interface ConsoleInterceptor {
  readonly stdout: StreamProxy
  readonly stderr: StreamProxy
  /** Returns the replacement of a method; undefined: methods are not replaced. Interceptors of older versions may lack it. */
  readonly wrap: ((name: ConsoleMethod, methods: Methods) => Method) | undefined
}

/** An original stream of the console. */
type Beneath = Pick<TextStream, 'write' | 'isTTY' | 'getColorDepth'>

/**
 * The installed interceptors of a console. All copies of this package in a process share the hooks that the first copy created, so
 * the shape of this interface changes only together with the `v1` in the key.
 */
export interface Hooks {
  /** Installs an interceptor. The last one installed is active. Returns a function that removes it. */
  add(interceptor: ConsoleInterceptor): () => void
  /** Returns the original stream of the console, from before the first interceptor was installed. */
  beneath(stream: 'stdout' | 'stderr'): Beneath
}

const registryKey = Symbol.for('sluice/v1/console')

/** Returns the hooks of this process's console. */
export function processHooks(): Hooks {
  const shared = globalThis as { [registryKey]?: Hooks }
  if (shared[registryKey] === undefined)
    define(shared, registryKey, { value: Object.freeze(hooksOf(globalThis.console)) })
  return shared[registryKey]!
}

/**
 * Returns the hooks of one console. All methods of Node's console write to its members `_stdout` and `_stderr`, so interceptors
 * replace these. The methods keep their identity and their formats, groups, counters and timers, and an earlier
 * `const { log } = console` is captured too. On any other console (of a test runner or another runtime), the methods are replaced
 * by those of a Node console.
 */
export function hooksOf(target: object): Hooks {
  const interceptors: ConsoleInterceptor[] = []
  const originals = new Map<string, PropertyDescriptor | undefined>()
  let uninstall: (() => void) | undefined

  function reinstall(): void {
    uninstall?.()
    const top = interceptors.at(-1)
    uninstall = top && put(target, top)
  }

  return {
    add(interceptor) {
      if (interceptors.length === 0) for (const name of streamNames) originals.set(name, descriptorOf(target, name))
      interceptors.push(interceptor)
      reinstall()
      return () => {
        const index = interceptors.indexOf(interceptor)
        if (index < 0) return
        interceptors.splice(index, 1)
        reinstall()
      }
    },
    beneath(stream) {
      const descriptor = originals.get(`_${stream}`)
      const own = (descriptor?.get === undefined ? descriptor?.value : descriptor.get.call(target)) as unknown
      return (own as Beneath | undefined) ?? process[stream]
    },
  }
}

const streamNames = ['_stdout', '_stderr'] as const

/** Installs an interceptor. Returns a function that restores each member, unless other code has replaced it since. */
function put(target: object, interceptor: ConsoleInterceptor): () => void {
  const isNodes = writesToItsStreams(target)
  const streams = { stdout: interceptor.stdout, stderr: interceptor.stderr } as unknown as ConstructorParameters<
    typeof Console
  >[0]
  const source = (isNodes ? target : new Console(streams)) as unknown as Record<string, Method>
  const restorers = isNodes
    ? [replace(target, '_stdout', interceptor.stdout), replace(target, '_stderr', interceptor.stderr)]
    : silent.map((name) => replace(target, name, source[name]))
  const wrap = member(interceptor, 'wrap')
  if (!isNodes || wrap !== undefined) {
    const methods = Object.fromEntries(printing.map((name) => [name, source[name]])) as unknown as Methods
    for (const name of printing) restorers.push(replace(target, name, wrap?.(name, methods) ?? methods[name]))
  }
  return () => {
    for (const restore of restorers) restore()
  }
}

function replace(target: object, name: string, value: unknown): () => void {
  const before = descriptorOf(target, name)
  define(target, name, { value, writable: true, configurable: true, enumerable: before?.enumerable ?? false })
  return () => {
    if (descriptorOf(target, name)?.value !== value) return
    if (before === undefined) Reflect.deleteProperty(target, name)
    else define(target, name, before)
  }
}

function writesToItsStreams(target: object): boolean {
  if (Object.hasOwn(process.versions, 'bun') || descriptorOf(target, '_stdout') === undefined) return false
  return target === nodeConsole || target.constructor === Console
}

function descriptorOf(target: object, name: string): PropertyDescriptor | undefined {
  return ownCopy(Object.getOwnPropertyDescriptor(target, name))
}
