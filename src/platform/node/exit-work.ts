import { asyncWrapProviders, createHook, executionAsyncId, type AsyncHook, type HookCallbacks } from 'node:async_hooks'
import type { RunAs, WorkOwner } from '../../lifecycle/platform.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** An asynchronous resource of Node: a timer, a handle, or a request such as a DNS lookup. */
interface Resource {
  hasRef?(): boolean
  unref?(): unknown
  close?(): unknown
  /** Whether a stream is being read. */
  readonly reading?: boolean
}

interface Work {
  readonly type: string
  /** The async ID of the resource that caused it: for a connection attempt, the socket. */
  readonly trigger: number
  readonly resource: WeakRef<Resource>
}

/** Resources of Node that never keep the event loop running, or whose socket does so as a separate resource. */
const passive = new Set(
  `PROMISE DIRHANDLE DNSCHANNEL ELDHISTOGRAM FILEHANDLE HEAPSNAPSHOT CPUHEAPPROFILE HTTP2SESSION HTTP2STREAM HTTPINCOMINGMESSAGE
  HTTPCLIENTREQUEST INSPECTORJSBINDING JSSTREAM JSUDPWRAP SIGINTWATCHDOG STREAMPIPE TLSWRAP`.split(/\s+/),
)
/**
 * Resources that exporters do not need for sending. A server, child process or thread that an exporter's call starts belongs to
 * the program.
 */
const programOnly = new Set(
  'FSEVENTWRAP PIPESERVERWRAP PROCESSWRAP SIGNALWRAP STATWATCHER TCPSERVERWRAP WORKER'.split(' '),
)
const connecting = new Set(['TCPCONNECTWRAP', 'PIPECONNECTWRAP'])

/**
 * The work that is started after the natural end of the program, by owner. Work belongs to exporters if it is started in a call
 * that `runAs` attributes to them, or in the asynchronous continuation of such a call; all other work is the program's.
 */
export class ExitWork {
  /** Whether anything other than an exporter has started something asynchronous. */
  hasProgramRun = false
  /** Whether exporters have batches. Work that their continuations start afterwards belongs to the program. */
  isExporting = true
  private readonly exporterIds = new Set<number>()
  private readonly exporters = new Map<number, Work>()
  private readonly programs = new Map<number, Work>()
  private owner: WorkOwner | undefined
  /** Whether the runtime shows what starts work. Bun does not have such hooks. */
  readonly isObserved: boolean = member(process.versions, 'bun') === undefined

  private hook: AsyncHook | undefined

  start(): void {
    if (!this.isObserved) return
    const callbacks: HookCallbacks = {
      init: (id, type, trigger, resource) => this.onStarted(id, type, trigger, resource),
      destroy: (id) => {
        this.exporterIds.delete(id)
        this.exporters.delete(id)
        this.programs.delete(id)
      },
    }
    this.hook = createHook(ownCopy(callbacks)).enable()
  }

  stop(): void {
    this.hook?.disable()
  }

  readonly runAs: RunAs = (owner, call) => {
    const outer = this.owner
    this.owner = owner
    try {
      return call()
    } finally {
      this.owner = outer
    }
  }

  /** Whether work of the program may keep the event loop running. */
  get isProgramAlive(): boolean {
    return [...this.programs.values()].some(keepsAlive)
  }

  /** Whether exporters have work that `release` cannot stop, such as a DNS lookup. */
  get isHeldUp(): boolean {
    return [...this.exporters.values()].some(({ resource }) => {
      const found = resource.deref()
      return found !== undefined && member(found, 'unref') === undefined
    })
  }

  /** Stops exporters from keeping the event loop running, as far as Node allows it. */
  release(): void {
    for (const { type, trigger, resource } of this.exporters.values()) {
      // A connection attempt keeps the event loop running even if its socket is unreferenced.
      if (connecting.has(type)) callMethod(this.exporters.get(trigger)?.resource.deref(), 'close')
      else callMethod(resource.deref(), 'unref')
    }
  }

  private onStarted(id: number, type: string, trigger: number, resource: Resource): void {
    const owner = this.owner ?? (this.exporterIds.has(executionAsyncId()) ? 'exporter' : 'program')
    const isExporters = owner === 'exporter' && this.isExporting && !programOnly.has(type)
    if (isExporters) this.exporterIds.add(id)
    else this.hasProgramRun = true
    if (!mayKeepAlive(type)) return
    const work = { type, trigger, resource: new WeakRef(resource) }
    ;(isExporters ? this.exporters : this.programs).set(id, work)
  }
}

function callMethod(resource: Resource | undefined, name: 'close' | 'unref'): void {
  if (resource !== undefined) member(resource, name)?.call(resource)
}

function mayKeepAlive(type: string): boolean {
  if (type === 'Timeout' || type === 'Immediate') return true
  return Object.hasOwn(asyncWrapProviders, type) && !passive.has(type)
}

function keepsAlive({ type, resource }: Work): boolean {
  const found = resource.deref()
  if (found === undefined || member(found, 'hasRef')?.call(found) === false) return false
  // The first `console.error` creates one that is not read.
  return (type !== 'PIPEWRAP' && type !== 'TTYWRAP') || member(found, 'reading') === true
}
