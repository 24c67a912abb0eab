import { err, errWithCause, type SerializedError } from './std-error.ts'
import {
  mapHttpRequest,
  mapHttpResponse,
  req,
  res,
  type SerializedRequest,
  type SerializedResponse,
} from './std-http.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Serializers that people know, and what wraps their own around them. */
export type StdSerializers = {
  /** An Error with the messages and the stacks of its causes joined to its own. */
  err(error: Error): SerializedError
  /** An Error with its cause as a member. */
  errWithCause(error: Error): SerializedError
  /** A request of `node:http`, Express, hapi or Fastify. */
  req(request: object): SerializedRequest
  /** A response of `node:http`, and of what is built on it. */
  res(response: object): SerializedResponse
  /** A request as the member `req`. */
  mapHttpRequest(request: object): { req: SerializedRequest }
  /** A response as the member `res`. */
  mapHttpResponse(response: object): { res: SerializedResponse }
  /** Makes a serializer that is called with what `err` returns. */
  wrapErrorSerializer(serializer: (error: SerializedError) => unknown): (error: Error) => unknown
  /** Makes a serializer that is called with what `req` returns. */
  wrapRequestSerializer(serializer: (request: SerializedRequest) => unknown): (request: object) => unknown
  /** Makes a serializer that is called with what `res` returns. */
  wrapResponseSerializer(serializer: (response: SerializedResponse) => unknown): (response: object) => unknown
}

/** A serializer that gets what `standard` returns; the standard one itself is not called twice. */
function wrap<T, S>(standard: (value: T) => S): (serializer: (value: S) => unknown) => (value: T) => unknown {
  return (serializer) => ((serializer as unknown) === standard ? standard : (value) => serializer(standard(value)))
}

export const stdSerializers: StdSerializers = ownCopy({
  err,
  errWithCause,
  mapHttpRequest,
  mapHttpResponse,
  req,
  res,
  wrapErrorSerializer: wrap(err),
  wrapRequestSerializer: wrap(req),
  wrapResponseSerializer: wrap(res),
})
