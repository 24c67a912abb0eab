import type { Stats } from './delivery.ts'

/** The messages between the demo and its processes. Each request has one reply; progress messages may precede it. */
export type ServerRequest = { readonly type: 'address' } | { readonly type: 'usage' } | { readonly type: 'close' }

export interface Address {
  readonly port: number
}

export interface Usage {
  readonly rows: number
  readonly cpuMillis: number
  /** The time in the parser and the row handler, including logging. */
  readonly handlerMillis: number
}

export interface FinalStats {
  readonly stats: Stats | undefined
}

export type ClientRequest =
  | { readonly type: 'prepare'; readonly from: number; readonly count: number; readonly rows: number }
  | { readonly type: 'send'; readonly port: number; readonly inFlight: number }

export interface Prepared {
  readonly bytes: number
}

export interface Sent {
  readonly requests: number
  readonly seconds: number
}

export interface Progress {
  readonly progress: number
}
