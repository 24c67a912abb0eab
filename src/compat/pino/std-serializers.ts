import { err, errWithCause, type SerializedError } from './std-error.ts'
import {
  mapHttpRequest,
  mapHttpResponse,
  req,
  res,
  type SerializedRequest,
  type SerializedResponse,
} from './std-http.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** Standard serializers, and functions that combine them with custom serializers. */
export type StdSerializers = {
  /** Serializes an Error, with the messages and stacks of its causes appended to its own. */
  err(error: Error): SerializedError
  /** Serializes an Error with its cause as a member. */
  errWithCause(error: Error): SerializedError
  /** Serializes a request of `node:http`, Express, hapi or Fastify. */
  req(request: object): SerializedRequest
  /** Serializes a response of `node:http`, and of frameworks built on it. */
  res(response: object): SerializedResponse
  /** Serializes a request as the member `req`. */
  mapHttpRequest(request: object): { req: SerializedRequest }
  /** Serializes a response as the member `res`. */
  mapHttpResponse(response: object): { res: SerializedResponse }
  /** Creates a serializer that is called with the result of `err`. */
  wrapErrorSerializer(serializer: (error: SerializedError) => unknown): (error: Error) => unknown
  /** Creates a serializer that is called with the result of `req`. */
  wrapRequestSerializer(serializer: (request: SerializedRequest) => unknown): (request: object) => unknown
  /** Creates a serializer that is called with the result of `res`. */
  wrapResponseSerializer(serializer: (response: SerializedResponse) => unknown): (response: object) => unknown
}

/**
 * Returns a function that creates a serializer from a custom one. The created serializer passes the result of the standard serializer to
 * the custom one. If the custom one is the standard serializer itself, it is returned, so that it is not applied twice.
 */
function wrap<T, S>(standard: (value: T) => S): (serializer: (value: S) => unknown) => (value: T) => unknown {
  return (serializer) => ((serializer as unknown) === standard ? standard : (value) => serializer(standard(value)))
}

export const stdSerializers: StdSerializers = withoutPrototype({
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
