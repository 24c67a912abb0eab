import { asyncWrapProviders, createHook, executionAsyncId, type AsyncHook, type HookCallbacks } from 'node:async_hooks'
import type { RunAs, WorkOwner } from '../../lifecycle/platform.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** An asynchronous resource of Node: a timer, a handle, or a request such as a DNS lookup. */
interface Resource {
  hasRef?(): boolean
  unref?(): unknown
  close?(): unknown
  /** Whether a stream is being read. */
  readonly reading?: boolean
}

/** A resource that may keep the event loop running. */
interface Work {
  /** The type of the resource in `node:async_hooks`. */
  readonly type: string
  /** The async ID of the resource that caused this one: for a connection attempt, the socket. */
  readonly triggerId: number
  readonly resource: WeakRef<Resource>
}

/** Types of resources that never keep the event loop running, or that do so only by a socket, which is a separate resource. */
const passiveTypes = new Set(
  `PROMISE DIRHANDLE DNSCHANNEL ELDHISTOGRAM FILEHANDLE HEAPSNAPSHOT CPUHEAPPROFILE HTTP2SESSION HTTP2STREAM HTTPINCOMINGMESSAGE
  HTTPCLIENTREQUEST INSPECTORJSBINDING JSSTREAM JSUDPWRAP SIGINTWATCHDOG STREAMPIPE TLSWRAP`.split(/\s+/),
)
/**
 * Types of resources that exporters do not need for sending. A server, child process or thread that an exporter's call starts
 * belongs to the program.
 */
const programOnlyTypes = new Set(
  'FSEVENTWRAP PIPESERVERWRAP PROCESSWRAP SIGNALWRAP STATWATCHER TCPSERVERWRAP WORKER'.split(' '),
)
const connectionAttemptTypes = new Set(['TCPCONNECTWRAP', 'PIPECONNECTWRAP'])

/**
 * The work that is started after the event loop has become empty, by owner. Work belongs to exporters if it is started in a call
 * that `runAs` attributes to them, or in the asynchronous continuation of such a call; all other work is the program's.
 */
export class ExitWork {
  /** Whether the program has started anything asynchronous, including a promise. */
  hasProgramStartedAnything = false
  /** Whether exporters have batches that were not exported. Once it is false, work that they start belongs to the program. */
  hasUnfinishedExports = true
  /** The async IDs of all resources that exporters have started, including promises. */
  private readonly exporterResourceIds = new Set<number>()
  /** The work of exporters, by async ID. */
  private readonly exporterWork = new Map<number, Work>()
  /** The work of the program, by async ID. */
  private readonly programWork = new Map<number, Work>()
  /** The owner of work that the current call of `runAs` starts; undefined outside of one. */
  private currentOwner: WorkOwner | undefined
  /** Whether the runtime supports async hooks, which report each resource that is created. Bun does not. */
  readonly isObservable: boolean = member(process.versions, 'bun') === undefined

  private hook: AsyncHook | undefined

  /** Starts to observe which work is started. */
  start(): void {
    if (!this.isObservable) return
    const callbacks: HookCallbacks = {
      init: (id, type, triggerId, resource) => this.onStarted(id, type, triggerId, resource),
      destroy: (id) => {
        this.exporterResourceIds.delete(id)
        this.exporterWork.delete(id)
        this.programWork.delete(id)
      },
    }
    this.hook = createHook(withoutPrototype(callbacks)).enable()
  }

  stop(): void {
    this.hook?.disable()
  }

  readonly runAs: RunAs = (owner, call) => {
    const outerOwner = this.currentOwner
    this.currentOwner = owner
    try {
      return call()
    } finally {
      this.currentOwner = outerOwner
    }
  }

  /** Whether work of the program may keep the event loop running. */
  get isProgramAlive(): boolean {
    return [...this.programWork.values()].some(keepsAlive)
  }

  /** Whether exporters have work that cannot be unreferenced: a request such as a DNS lookup, or a connection attempt. */
  get hasWorkWithoutUnref(): boolean {
    return [...this.exporterWork.values()].some(({ resource }) => {
      const found = resource.deref()
      return found !== undefined && member(found, 'unref') === undefined
    })
  }

  /** Stops exporters from keeping the event loop running, as far as Node allows it. */
  release(): void {
    for (const { type, triggerId, resource } of this.exporterWork.values()) {
      // A connection attempt keeps the event loop running even if its socket is unreferenced.
      if (connectionAttemptTypes.has(type)) callMethod(this.exporterWork.get(triggerId)?.resource.deref(), 'close')
      else callMethod(resource.deref(), 'unref')
    }
  }

  private onStarted(id: number, type: string, triggerId: number, resource: Resource): void {
    const owner = this.currentOwner ?? (this.exporterResourceIds.has(executionAsyncId()) ? 'exporter' : 'program')
    const isExporterWork = owner === 'exporter' && this.hasUnfinishedExports && !programOnlyTypes.has(type)
    if (isExporterWork) this.exporterResourceIds.add(id)
    else this.hasProgramStartedAnything = true
    if (!mayKeepAlive(type)) return
    const work = { type, triggerId, resource: new WeakRef(resource) }
    ;(isExporterWork ? this.exporterWork : this.programWork).set(id, work)
  }
}

function callMethod(resource: Resource | undefined, name: 'close' | 'unref'): void {
  if (resource !== undefined) member(resource, name)?.call(resource)
}

/** Returns whether resources of a type can keep the event loop running. */
function mayKeepAlive(type: string): boolean {
  if (type === 'Timeout' || type === 'Immediate') return true
  return Object.hasOwn(asyncWrapProviders, type) && !passiveTypes.has(type)
}

/** Returns whether work keeps the event loop running now. */
function keepsAlive({ type, resource }: Work): boolean {
  const found = resource.deref()
  if (found === undefined || member(found, 'hasRef')?.call(found) === false) return false
  // A pipe or terminal keeps it running only while it is read: the first `console.error` creates one that is not.
  return (type !== 'PIPEWRAP' && type !== 'TTYWRAP') || member(found, 'reading') === true
}
