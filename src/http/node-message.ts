/**
 * The part of `http.IncomingMessage`, or of its HTTP/2 equivalent, that is used here. Node's own types would require their package.
 */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly socket: NodeSocket
  /** Whether Node has handed the connection to a listener of `upgrade`. */
  readonly upgrade?: boolean
}

/** The part of a connection that is used here. */
export interface NodeSocket {
  readonly remoteAddress?: string | undefined
  once(event: 'close', listener: () => void): unknown
}

/** The part of `http.ServerResponse`, or of its HTTP/2 equivalent, that is used here. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly statusCode: number
  readonly writableEnded: boolean
  /** The sent head in HTTP/1: an internal field of Node, which other middleware reads too. */
  readonly _header?: unknown
  /** The stream in HTTP/2. */
  readonly stream?: NodeStream | undefined
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: string): unknown
  on(event: 'close' | 'finish', listener: () => void): unknown
}

/** The stream of an HTTP/2 response. It emits `finish` when all of its bytes were passed on, and after a reset. */
export interface NodeStream {
  /** The error code with which the stream was closed (RFC 9113 section 7); 0 means no error. */
  readonly rstCode?: number | undefined
  readonly sentHeaders?: { readonly [name: string]: number | string | readonly string[] | undefined } | undefined
  readonly writableFinished: boolean
  on(event: 'finish', listener: () => void): unknown
}

/** The part of a Node server that is used here. */
export interface NodeServer {
  /** Emits an event. Declared for an event that every server has, so that the types of all servers can be assigned. */
  emit(event: 'listening'): boolean
}
