import type { Stats } from './ledger.ts'

/** The messages between the demo and its processes: each question is answered by one message; progress may come between. */
export type ServerQuestion = { readonly ask: 'address' } | { readonly ask: 'effort' } | { readonly ask: 'farewell' }

export interface Address {
  readonly port: number
}

export interface Effort {
  readonly rows: number
  readonly cpuMillis: number
  /** Time inside the parser and the row handler. Without logging: the row handler's own cost. */
  readonly handlerMillis: number
}

export interface Farewell {
  readonly stats: Stats | undefined
}

export type ClientQuestion =
  | { readonly ask: 'prepare'; readonly from: number; readonly count: number; readonly rows: number }
  | { readonly ask: 'send'; readonly port: number; readonly inFlight: number }

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
