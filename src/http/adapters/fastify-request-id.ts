import { isOwnLogger } from '../../logger/log-call.ts'
import { member } from '../../options/own-members.ts'
import { convertNodeRequest } from '../node-request.ts'
import type { NodeRequest } from '../node-message.ts'
import type { RequestIdentity } from '../request-id.ts'
import type { AdapterLog } from '../request-log.ts'
import { requestIdAttribute } from '../semantic-conventions.ts'

/** The part of a Fastify instance that concerns request IDs. */
export interface FastifyWithIds {
  readonly log?: object
  readonly genReqId?: (raw: NodeRequest) => unknown
  setGenReqId?(generate: (raw: NodeRequest) => string): unknown
}

/**
 * The descriptions of the symbols under which a Fastify instance has the object with `requestIdLogLabel`: since 5.8 a log controller,
 * before that the options.
 */
const labelHolderDescriptions: readonly unknown[] = ['fastify.logController', 'fastify.options']
/** Fastify's default of `requestIdLogLabel`. */
const defaultLabel = 'reqId'

/** Gives requests of a Fastify application the same ID in Fastify, in the children of its logger, and in the request log. */
export class FastifyRequestIds {
  readonly #log: AdapterLog
  readonly #key = Symbol('sluice')
  /** Whether Fastify chooses its default IDs: its generator cannot be replaced, or an old version does not provide it. */
  #hasDefaultIds = false

  constructor(log: AdapterLog) {
    this.#log = log
  }

  /**
   * Replaces Fastify's default IDs, which are a counter. If Fastify's logger is one of this package, also replaces Fastify's default name
   * for the ID in records.
   */
  install(app: FastifyWithIds): void {
    const [genReqId, setGenReqId] = [member(app, 'genReqId'), member(app, 'setGenReqId')]
    const isDefault = genReqId?.name === 'defaultGenReqId'
    if (isDefault) setGenReqId?.call(app, (raw) => this.#chooseId(raw))
    this.#hasDefaultIds = setGenReqId === undefined && (isDefault || genReqId === undefined)
    if (isOwnLogger(member(app, 'log'))) renameLabel(app)
  }

  /**
   * Returns the identity of a request: the one that was chosen for Fastify; else one with the ID of the program's own `genReqId`, or, if
   * Fastify's ID is a default one or invalid, with an ID of the request log.
   */
  identityOf(raw: NodeRequest, fastifyId: unknown): RequestIdentity {
    const chosen = (raw as object as IdentityHolder)[this.#key]
    if (chosen !== undefined) return chosen
    const isDefault = this.#hasDefaultIds && typeof fastifyId === 'string' && /^req-[0-9a-z]+$/.test(fastifyId)
    return this.#log.identify(convertNodeRequest(raw), isDefault ? undefined : fastifyId)
  }

  #chooseId(raw: NodeRequest): string {
    const identity = this.#log.identify(convertNodeRequest(raw))
    ;(raw as object as IdentityHolder)[this.#key] = identity
    return identity.id
  }
}

interface IdentityHolder {
  [key: symbol]: RequestIdentity | undefined
}

/** Sets the name (Fastify's label) under which Fastify adds the ID to the children of its logger, unless the program has chosen one. */
function renameLabel(app: object): void {
  const symbols = Object.getOwnPropertySymbols(app)
  for (const description of labelHolderDescriptions) {
    const symbol = symbols.find((candidate) => candidate.description === description)
    const holder = symbol && (app as Record<symbol, { requestIdLogLabel?: unknown } | undefined>)[symbol]
    if (typeof holder !== 'object') continue
    if (member(holder, 'requestIdLogLabel') === defaultLabel && !Object.isFrozen(holder))
      holder.requestIdLogLabel = requestIdAttribute
    return
  }
}
