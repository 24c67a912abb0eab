import { ConfigurationError } from '../../options/configuration-error.ts'
import { membersOf } from '../../options/own-members.ts'
import { oneLine } from '../../options/one-line.ts'
import { processLevelLayers } from '../../levels/level-layers.ts'
import { levelControl, setLayer, type LevelChangeOptions } from '../level-control.ts'
import { httpLayers, layerWithId, maxHttpLayers } from './http-layers.ts'
import { queryOf, readLevelChange } from './level-change-request.ts'
import { RejectedRequest, type LevelsRequest, type LevelsResponse } from './levels-request.ts'
import type { TokenOwner, TokenVerifier } from './tokens.ts'

/** Answers requests that read and change levels. */
export class LevelsEndpoint {
  readonly #tokens: TokenVerifier

  constructor(tokens: TokenVerifier) {
    this.#tokens = tokens
  }

  /** Answers a request. Never rejects. */
  async respond(request: LevelsRequest): Promise<LevelsResponse> {
    try {
      return await this.#answer(request)
    } catch (error) {
      if (!(error instanceof RejectedRequest)) return jsonResponse(500, { error: { message: 'internal error' } })
      const { status, message, details, headers } = error
      return jsonResponse(status, { error: { message, ...details } }, headers)
    }
  }

  async #answer(request: LevelsRequest): Promise<LevelsResponse> {
    const owner = this.#tokens.ownerOf(request.header('authorization'))
    if (owner === undefined) throw new RejectedRequest(401, 'unauthorized', {}, { 'www-authenticate': 'Bearer' })
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        queryOf(request, [])
        return jsonResponse(200, levelControl().describe())
      case 'PUT':
        return putLevels(request, owner)
      case 'DELETE':
        return deleteLevels(request)
      default:
        throw new RejectedRequest(405, 'use GET, PUT or DELETE', {}, { allow: 'GET, HEAD, PUT, DELETE' })
    }
  }
}

/** Adds a layer. It replaces the layer of an earlier request with the same directives, as one change. */
async function putLevels(request: LevelsRequest, { label }: TokenOwner): Promise<LevelsResponse> {
  const { directives, forMillis } = await readLevelChange(request)
  const layers = httpLayers()
  const replaced = layers.find(({ text }) => text === directives)
  if (replaced === undefined && layers.length >= maxHttpLayers) {
    throw new RejectedRequest(409, `there are ${maxHttpLayers} changes; revert one of them with DELETE and ?id=`)
  }
  const { remoteAddress } = request
  const options: LevelChangeOptions = {
    source: 'http',
    ...(forMillis !== undefined && { forMillis }),
    ...(label !== undefined && { by: label }),
    ...(remoteAddress !== undefined && { remoteAddress: oneLine(remoteAddress, maxAddressLength) }),
  }
  const { id } = rejectingBadDirectives(() => setLayer(directives, options, replaced))
  return jsonResponse(200, { id, ...levelControl().describe() })
}

/** Removes one layer, or all layers of earlier requests. */
function deleteLevels(request: LevelsRequest): LevelsResponse {
  const id = queryOf(request, ['id']).get('id')
  const layers = httpLayers()
  const removed = id === undefined ? layers : [layerWithId(layers, id) ?? rejectUnknownId(id)]
  for (const layer of removed) processLevelLayers().remove(layer)
  return jsonResponse(200, { reverted: removed.map((layer) => layer.id), ...levelControl().describe() })
}

function rejectUnknownId(id: string): never {
  const other = layerWithId(processLevelLayers().layers, id)
  if (other === undefined) throw new RejectedRequest(404, 'there is no change with this id')
  const owner = other.thread !== undefined ? 'another thread' : `the source ${other.source}`
  throw new RejectedRequest(404, `the change with this id is of ${owner}, and can only be reverted there`)
}

const maxAddressLength = 64

/** Calls a function, and converts its ConfigurationError to a response with the position of each problem. */
function rejectingBadDirectives<T>(set: () => T): T {
  try {
    return set()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const problems = error.problems.map((problem) => membersOf(problem, ['message', 'position', 'excerpt']))
    throw new RejectedRequest(400, problems.map(({ message }) => message).join('; '), { problems })
  }
}

function jsonResponse(status: number, value: object, headers: Readonly<Record<string, string>> = {}): LevelsResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: `${JSON.stringify(copyWithoutPrototypes(value), undefined, 2)}\n`,
  }
}

/** Returns a copy of a value whose objects and arrays have no prototype, so that `JSON.stringify` finds no inherited `toJSON`. */
function copyWithoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(copyWithoutPrototypes)
    : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyWithoutPrototypes(item)]))
  return Object.setPrototypeOf(copy, null) as unknown
}
