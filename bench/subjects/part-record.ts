import { isDeepStrictEqual } from 'node:util'
import { messages, paths } from '../scenarios/payload.ts'
import { sluice } from './sluice.ts'

/** The number of different records, few enough to encode them before the timed part. */
export const partRecords = messages.length

/** Returns record number `index`. The same records repeat in the same order. */
export function partRecord(index: number): { readonly message: string; readonly attributes: object } {
  const seq = index % partRecords
  return { message: messages[seq]!, attributes: { seq, path: paths[seq % paths.length], status: 200 } }
}

/** @throws Error when a discarded text is not the line of record number `index` */
export function checkText(text: string, index: number): void {
  const { message, attributes } = sluice.read(JSON.parse(text) as Readonly<Record<string, unknown>>)
  if (isDeepStrictEqual({ message, attributes }, partRecord(index))) return
  throw new Error(`the discarded text is not that of the record: ${text}`)
}
