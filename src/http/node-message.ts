/** What is asked of a request of Node's, `http.IncomingMessage` and its like of HTTP/2: types of Node's would need its package. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly socket: NodeSocket
  /** Whether Node has handed the connection to a listener of `upgrade`. */
  readonly upgrade?: boolean
}

/** What is asked of a connection. */
export interface NodeSocket {
  readonly remoteAddress?: string | undefined
  once(event: 'close', listener: () => void): unknown
}

/** What is asked of a response of Node's, `http.ServerResponse` and its like of HTTP/2. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly statusCode: number
  readonly writableEnded: boolean
  /** The head as it was sent, in HTTP/1: Node's own field, which middleware has read since there is Node. */
  readonly _header?: unknown
  /** In HTTP/2. */
  readonly stream?: NodeStream | undefined
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: string): unknown
  on(event: 'close' | 'finish', listener: () => void): unknown
}

/** What a response of HTTP/2 has behind it. It says `finish` only when all of its bytes are on their way. */
export interface NodeStream {
  /** Why it was closed, a code of RFC 9113 section 7; 0 for no error. */
  readonly rstCode?: number | undefined
  readonly sentHeaders?: { readonly [name: string]: number | string | readonly string[] | undefined } | undefined
  readonly writableFinished: boolean
  on(event: 'finish', listener: () => void): unknown
}

/** What is asked of a server of Node's. */
export interface NodeServer {
  emit(event: 'listening'): boolean
}
