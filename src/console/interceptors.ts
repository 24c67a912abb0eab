import nodeConsole, { Console } from 'node:console'
import { member, withoutPrototype } from '../options/own-members.ts'
import type { TextStream } from '../exporters/stream-exporter.ts'
import { define } from '../options/define-member.ts'
import { printingMethods, silentMethods, type ConsoleMethod } from './methods.ts'
import type { StreamProxy } from './stream-proxy.ts'

/** A method of a console. */
export type Method = (...args: unknown[]) => unknown

/** The printing methods that an interceptor wraps: those of the console, or of a Node console that replaces it. */
export type Methods = Readonly<Record<ConsoleMethod, Method>>

/** Replacement streams, and optionally methods, that receive the text and calls of a console. */
export interface ConsoleInterceptor {
  readonly stdout: StreamProxy
  readonly stderr: StreamProxy
  /**
   * Returns the replacement of a method. If it is undefined, methods are not wrapped. Interceptors of older versions of this package may
   * lack it.
   */
  readonly wrap: ((name: ConsoleMethod, methods: Methods) => Method) | undefined
}

/** An original stream of the console. */
type OriginalStream = Pick<TextStream, 'write' | 'isTTY' | 'getColorDepth'>

/**
 * The installed interceptors of a console. All copies of this package in a process share the object that the first copy created, so
 * this interface changes only together with the `v1` in the key.
 */
export interface ConsoleInterceptors {
  /** Installs an interceptor. The last one installed is active. Returns a function that removes it. */
  add(interceptor: ConsoleInterceptor): () => void
  /** Returns the original stream of the console, from before the first interceptor was installed. */
  beneath(stream: 'stdout' | 'stderr'): OriginalStream
}

const registryKey = Symbol.for('sluice/v1/console')

/** Returns the interceptors of this process's console. */
export function processInterceptors(): ConsoleInterceptors {
  const shared = globalThis as { [registryKey]?: ConsoleInterceptors }
  if (shared[registryKey] === undefined)
    define(shared, registryKey, { value: Object.freeze(interceptorsOf(globalThis.console)) })
  return shared[registryKey]!
}

/**
 * Returns the interceptors of one console, at first none. All methods of Node's console write to its members `_stdout` and `_stderr`,
 * so interceptors replace these. The formats, groups, counters and timers are still those of the console, and an earlier
 * `const { log } = console` writes to the replacements too. An interceptor with `wrap` also replaces the printing methods. On any other
 * console (of a test runner or another runtime), the methods are replaced by those of a Node console.
 */
export function interceptorsOf(target: object): ConsoleInterceptors {
  const interceptors: ConsoleInterceptor[] = []
  const originals = new Map<string, PropertyDescriptor | undefined>()
  let uninstall: (() => void) | undefined

  function reinstall(): void {
    uninstall?.()
    const active = interceptors.at(-1)
    uninstall = active && install(target, active)
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
      const original = (descriptor?.get === undefined ? descriptor?.value : descriptor.get.call(target)) as unknown
      return (original as OriginalStream | undefined) ?? process[stream]
    },
  }
}

const streamNames = ['_stdout', '_stderr'] as const

/** Installs an interceptor in a console. Returns a function that restores each member, unless other code has replaced it since. */
function install(target: object, interceptor: ConsoleInterceptor): () => void {
  const writesToStreams = writesToItsStreams(target)
  const streams = { stdout: interceptor.stdout, stderr: interceptor.stderr } as unknown as ConstructorParameters<
    typeof Console
  >[0]
  const source = (writesToStreams ? target : new Console(streams)) as unknown as Record<string, Method>
  const restorers = writesToStreams
    ? [replaceMember(target, '_stdout', interceptor.stdout), replaceMember(target, '_stderr', interceptor.stderr)]
    : silentMethods.map((name) => replaceMember(target, name, source[name]))
  const wrap = member(interceptor, 'wrap')
  if (!writesToStreams || wrap !== undefined) {
    const methods = Object.fromEntries(printingMethods.map((name) => [name, source[name]])) as unknown as Methods
    for (const name of printingMethods)
      restorers.push(replaceMember(target, name, wrap?.(name, methods) ?? methods[name]))
  }
  return () => {
    for (const restore of restorers) restore()
  }
}

function replaceMember(target: object, name: string, value: unknown): () => void {
  const original = descriptorOf(target, name)
  define(target, name, { value, writable: true, configurable: true, enumerable: original?.enumerable ?? false })
  return () => {
    if (descriptorOf(target, name)?.value !== value) return
    if (original === undefined) Reflect.deleteProperty(target, name)
    else define(target, name, original)
  }
}

/** Returns whether the methods of a console write to its members `_stdout` and `_stderr`, as those of Node do and those of Bun do not. */
function writesToItsStreams(target: object): boolean {
  if (Object.hasOwn(process.versions, 'bun') || descriptorOf(target, '_stdout') === undefined) return false
  return target === nodeConsole || target.constructor === Console
}

function descriptorOf(target: object, name: string): PropertyDescriptor | undefined {
  return withoutPrototype(Object.getOwnPropertyDescriptor(target, name))
}
