import { member, ownCopy } from '../options/own-members.ts'
import type { HttpRequest } from './exchange.ts'
import type { NodeRequest } from './node-message.ts'

/** What a framework knows better than the message itself. */
export type FrameworkRequest = Partial<Pick<HttpRequest, 'url' | 'scheme' | 'clientAddress'>>

/** A request of a server of Node's, HTTP/1 or HTTP/2. */
export function nodeRequest(message: NodeRequest, known: FrameworkRequest = {}): HttpRequest {
  const { url, scheme, clientAddress } = ownCopy(known)
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
