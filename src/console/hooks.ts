import nodeConsole, { Console } from 'node:console'
import { member, ownCopy } from '../options/own-members.ts'
import type { TextStream } from '../exporters/stream-exporter.ts'
import { define } from '../options/define-member.ts'
import { printing, silent, type ConsoleMethod } from './methods.ts'
import type { StreamProxy } from './stream-proxy.ts'

/** A method of a console. */
export type Method = (...args: unknown[]) => unknown

/** The methods of a console that print, as they were. */
export type Methods = Readonly<Record<ConsoleMethod, Method>>

/** What takes a console's text, and perhaps its calls. */
export interface ConsoleInterceptor {
  readonly stdout: StreamProxy
  readonly stderr: StreamProxy
  /** Returns the replacement of a method. undefined: methods are not replaced. A tap of an older copy may lack it. */
  readonly wrap: ((name: ConsoleMethod, methods: Methods) => Method) | undefined
}

/** A stream of the console's own. */
type Beneath = Pick<TextStream, 'write' | 'isTTY' | 'getColorDepth'>

/**
 * The places of a console where taps are put. Every loaded copy of this package uses the first one's for the console of the
 * process: its shape changes only with the `v1`.
 */
export interface Hooks {
  /** Puts a tap over those that are there: the last one has the console. Returns what takes it off. */
  add(interceptor: ConsoleInterceptor): () => void
  /** The console's own streams, as they were before the first tap. */
  beneath(stream: 'stdout' | 'stderr'): Beneath
}

const place = Symbol.for('sluice/v1/console')

/** The hooks of this process's console. */
export function processHooks(): Hooks {
  const shared = globalThis as { [place]?: Hooks }
  if (shared[place] === undefined) define(shared, place, { value: Object.freeze(hooksOf(globalThis.console)) })
  return shared[place]!
}

/**
 * The hooks of one console. Node's has its streams as members, `_stdout` and `_stderr`, through which all of its methods
 * write. So taps stand there: the methods stay who they are, formats, groups, counters and timers stay theirs, and a
 * `const { log } = console` from before is heard. Of a console that is not Node's (a test runner's, another runtime's), the
 * methods are replaced by those of one that is.
 */
export function hooksOf(target: object): Hooks {
  const interceptors: ConsoleInterceptor[] = []
  const originals = new Map<string, PropertyDescriptor | undefined>()
  let takeOff: (() => void) | undefined

  function change(): void {
    takeOff?.()
    const top = interceptors.at(-1)
    takeOff = top && put(target, top)
  }

  return {
    add(interceptor) {
      if (interceptors.length === 0) for (const name of streamNames) originals.set(name, descriptorOf(target, name))
      interceptors.push(interceptor)
      change()
      return () => {
        const index = interceptors.indexOf(interceptor)
        if (index < 0) return
        interceptors.splice(index, 1)
        change()
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

/** Returns what undoes it, where nobody has put something else there meanwhile. */
function put(target: object, interceptor: ConsoleInterceptor): () => void {
  const isNodes = writesToItsStreams(target)
  const streams = { stdout: interceptor.stdout, stderr: interceptor.stderr } as unknown as ConstructorParameters<
    typeof Console
  >[0]
  const source = (isNodes ? target : new Console(streams)) as unknown as Record<string, Method>
  const undone = isNodes
    ? [replace(target, '_stdout', interceptor.stdout), replace(target, '_stderr', interceptor.stderr)]
    : silent.map((name) => replace(target, name, source[name]))
  const wrap = member(interceptor, 'wrap')
  if (!isNodes || wrap !== undefined) {
    const methods = Object.fromEntries(printing.map((name) => [name, source[name]])) as unknown as Methods
    for (const name of printing) undone.push(replace(target, name, wrap?.(name, methods) ?? methods[name]))
  }
  return () => {
    for (const undo of undone) undo()
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
