import { member, withoutPrototype } from '../options/own-members.ts'
import type { HttpRequest } from './exchange.ts'
import type { NodeRequest } from './node-message.ts'

/** Values of a framework that override those of the message. */
export type FrameworkRequest = Partial<Pick<HttpRequest, 'url' | 'scheme' | 'clientAddress'>>

/** Converts a request of a Node server, HTTP/1 or HTTP/2. */
export function convertNodeRequest(message: NodeRequest, frameworkRequest: FrameworkRequest = {}): HttpRequest {
  const { url, scheme, clientAddress } = withoutPrototype(frameworkRequest)
  const { method = 'GET', headers, socket } = message
  const isEncrypted = member(socket as { readonly encrypted?: boolean }, 'encrypted') === true
  return {
    method,
    url: url ?? message.url ?? '/',
    scheme: scheme ?? (isEncrypted ? 'https' : 'http'),
    clientAddress: clientAddress ?? member(socket, 'remoteAddress'),
    header: (name) => member(headers, name),
  }
}
