import { err, errWithCause, type SerializedError } from './std-error.ts'
import {
  mapHttpRequest,
  mapHttpResponse,
  req,
  res,
  type SerializedRequest,
  type SerializedResponse,
} from './std-http.ts'

/** Serializers that people know, and what wraps their own around them. */
export type StdSerializers = {
  err(error: Error): SerializedError
  errWithCause(error: Error): SerializedError
  req(request: object): SerializedRequest
  res(response: object): SerializedResponse
  mapHttpRequest(request: object): { req: SerializedRequest }
  mapHttpResponse(response: object): { res: SerializedResponse }
  wrapErrorSerializer(serializer: (error: SerializedError) => unknown): (error: Error) => unknown
  wrapRequestSerializer(serializer: (request: SerializedRequest) => unknown): (request: object) => unknown
  wrapResponseSerializer(serializer: (response: SerializedResponse) => unknown): (response: object) => unknown
}

/** A serializer that gets what `standard` returns; the standard one itself is not called twice. */
function wrap<T, S>(standard: (value: T) => S): (serializer: (value: S) => unknown) => (value: T) => unknown {
  return (serializer) => ((serializer as unknown) === standard ? standard : (value) => serializer(standard(value)))
}

export const stdSerializers: StdSerializers = Object.assign(Object.create(null) as object, {
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
